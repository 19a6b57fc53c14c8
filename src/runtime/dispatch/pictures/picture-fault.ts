// Refusals of the API that are about the pictures of a request and not about the request as such. After one of them the
// same conversation can go on with fewer pictures; no other 400 is asked again.

/** Codes of the API's own, which do not change. */
const CODES = new Set(["image_dimensions_too_large"]);

/**
 * Words of refusals that carry no code: a picture of too many bytes or pixels, one whose media type is not that of its
 * bytes, one that cannot be read, and too many of them.
 */
const WORDS =
  /\bimage exceeds\b|\bimage dimensions (?:exceed|are too large)\b|\bmatch the provided media type\b|\bmedia type, but the image\b|\bcould not process image\b|\btoo (?:many images|much media)\b|\bmore than \d{1,3} images\b/i;

export interface RefusedRequest {
  readonly status: number;
  readonly code: string | undefined;
  readonly message: string;
}

/** Whether the request may be taken with fewer pictures. */
export function isPictureFault({ status, code, message }: RefusedRequest): boolean {
  if (status === 413) return true;
  if (status !== 400) return false;
  return (code !== undefined && CODES.has(code)) || WORDS.test(message.slice(0, 2000));
}

// The package's version, as traces and specs name it. A test holds it to package.json: a bundle has no such file.

export const VERSION = "0.1.0";

export const GENERATOR = `capuchin ${VERSION}`;

// Runs before the first row is read: rows arrive arranged for a screen, so that no browser lays out the details of
// thousands only to put them away again. Where the page's script does not come to its end, everything is shown.
const { classList } = document.documentElement;
classList.add("js");
document.addEventListener("DOMContentLoaded", () => {
  if (!classList.contains("ready")) classList.remove("js");
});

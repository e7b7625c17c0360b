// Light and dark: as the reader's system, until the reader chooses. Charts are redrawn, as they draw with colours.

const onTheme = [];
const palette = {};
const darkSystem = matchMedia("(prefers-color-scheme: dark)");
let chosenTheme = "system";
let isPrinting = false;

const applyTheme = () => {
  const isDark = !isPrinting && (chosenTheme === "dark" || (chosenTheme === "system" && darkSystem.matches));
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  Object.keys(palette).forEach((name) => delete palette[name]);
  onTheme.forEach((told) => told());
};

/** A colour by its name in the style sheet. */
const colour = (name) => {
  palette[name] ??= getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
  return palette[name];
};

const COLOURS = 8;
// long ones: dots mark published figures
const DASHES = [[], [9, 4], [20, 5], [20, 5, 9, 5], [13, 11], [9, 12], [30, 6], [30, 6, 9, 6]];
const seriesColour = (index) => colour(index === null ? "soft" : "s" + (index % COLOURS));
const colourClass = (index) => (index === null ? "grey" : "c" + (index % COLOURS));
const seriesDash = (index) => DASHES[(index + Math.floor(index / COLOURS)) % DASHES.length];

const themeSwitch = () => el("div", { class: "theme" },
  choice("Colours", [["system", "System"], ["light", "Light"], ["dark", "Dark"]], chosenTheme, (theme) => {
    chosenTheme = theme;
    applyTheme();
  }));

darkSystem.addEventListener("change", applyTheme);
addEventListener("beforeprint", () => {
  isPrinting = true;
  applyTheme();
  resizePlots(PAPER_WIDTH);
});
addEventListener("afterprint", () => {
  isPrinting = false;
  applyTheme();
  resizePlots(null);
});

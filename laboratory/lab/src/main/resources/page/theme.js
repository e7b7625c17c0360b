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
// without dots, which mark published figures
const DASHES = [[], [9, 4], [5, 3], [12, 3, 4, 3], [18, 4], [7, 7], [14, 3, 4, 3, 4, 3], [18, 4, 6, 4]];
const seriesColour = (index) => colour("s" + (index % COLOURS));
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

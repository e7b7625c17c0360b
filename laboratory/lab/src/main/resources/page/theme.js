// Light and dark: the reader's system decides until the reader does. Charts are told, as they draw with colours.

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
const DASHES = [[], [9, 4], [2, 3], [10, 3, 2, 3], [5, 2], [14, 4], [2, 6], [8, 3, 2, 3, 2, 3]];
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

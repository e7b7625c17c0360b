// What the lines of a chart are, each of which can be switched off and on.

const swatch = (index, isDotted) => svg("svg", { width: 48, height: 12, "aria-hidden": "true", class: colourClass(index) },
  svg("line", { x1: 1, y1: 6, x2: 47, y2: 6, class: "swatch", "stroke-linecap": isDotted ? "round" : null,
    "stroke-dasharray": isDotted ? "1 5" : seriesDash(index).join(" ") }));

/** The index of the own series of the same transport, whose colour a published one has; null for none. */
const ownIndex = (name, own) => {
  const words = (text) => text.split(/[^\w.]+/);
  const same = own.find((each) => name.startsWith(each.name + " ")) || own.find((each) => words(each.name).includes(words(name)[0]));
  return same ? same.index : null;
};

/**
 * Buttons for lines.
 *
 * @param items with name, index (null: grey) and isDotted
 * @param onToggle told the item's place and whether it is shown
 * @returns element, and a function that shows a text beside each name
 */
const legend = (label, items, onToggle) => {
  const values = items.map(() => el("span", { class: "value" }));
  const buttons = items.map((item, place) => el("button", {
    type: "button", "aria-pressed": String(item.isShown !== false), title: "switch off or on; Shift: only this one",
    onclick: (event) => event.shiftKey ? only(place) : set(place, buttons[place].getAttribute("aria-pressed") !== "true"),
  }, swatch(item.index, item.isDotted), named(item.name), values[place]));
  const set = (place, isShown) => {
    buttons[place].setAttribute("aria-pressed", String(isShown));
    onToggle(place, isShown);
  };
  const only = (place) => buttons.forEach((button, other) => set(other, other === place));
  const all = (isShown) => buttons.forEach((button, place) => set(place, isShown));
  const element = el("ul", { class: "legend", "aria-label": label },
    buttons.map((button) => el("li", {}, button)),
    items.length > 4 ? el("li", {}, el("button", { type: "button", onclick: () => all(true) }, "all")) : null,
    items.length > 4 ? el("li", {}, el("button", { type: "button", onclick: () => all(false) }, "none")) : null);
  return { element, show: (texts) => values.forEach((value, place) => { value.textContent = texts ? texts[place] ?? "" : ""; }) };
};

// Elements. Everything that comes from a result becomes text, never markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; texts become text nodes, null is left out. */
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

/** The same in a drawing. */
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      element.setAttribute(name, value === true ? "" : value);
    }
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child);
    }
  }
  return element;
};

/** A name from a result, kept from reordering what stands beside it. */
const named = (text) => el("bdi", {}, String(text));

/** A command line that breaks between its words. */
const commandLine = (tag, kind, text) =>
  el(tag, { class: kind }, el("bdi", {}, String(text).split(" ").map((word, at) => [at === 0 ? null : " ", el("span", { class: "word" }, word)])));

/** A link to a file that belongs to this page; anything else stays text. */
const linkTo = (href, text) =>
  /^\.{1,2}\//.test(href) ? el("a", { href }, named(text)) : named(text);

/** Whether a figure rests on fewer than 100 samples above it. */
const isGrey = (figure) => figure.hasFewSamples || figure.tone === "grey";

/** A table that scrolls by itself where it is too wide. Cells are texts, elements, or {text, is} and what isGrey knows. */
const table = (caption, headings, rows, kind) => {
  const cell = (value, index) => {
    const content = value !== null && typeof value === "object" && "text" in value && !(value instanceof Node) ? value : { text: value };
    const shown = content.text instanceof Node ? content.text : String(content.text ?? "-");
    return index === 0
      ? el("th", { scope: "row" }, shown)
      : el("td", { class: (content.is || "") + (isGrey(content) ? " grey" : ""), title: isGrey(content) ? "fewer than 100 samples above" : null },
          isGrey(content) ? "(" + shown + ")" : shown);
  };
  return el("div", {}, el("p", { class: "hint", "aria-hidden": "true" }, caption), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    el("table", { class: kind || "", "aria-label": caption },
      headings.length === 0 ? null
        : el("thead", {}, el("tr", {}, headings.map((heading) => el("th", { scope: "col" }, heading)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map(cell)))))));
};

const measuring = document.createElement("canvas").getContext("2d");

/** The width of a text in a drawing. */
const textWidth = (text, font = "12px") => {
  measuring.font = font + " system-ui, sans-serif";
  return measuring.measureText(text).width;
};

/** A drawing made again for each width of the page, so that its texts keep their size. */
const drawnToWidth = (draw) => {
  const host = el("div", {});
  let last = 0;
  new ResizeObserver(() => {
    if (host.clientWidth !== last && host.clientWidth > 0) {
      last = host.clientWidth;
      host.replaceChildren(draw(Math.max(280, last)));
    }
  }).observe(host);
  return host;
};

/** The same figures as a chart above it, for those who cannot see it: made when it is opened. */
const tableOf = (title, make) => {
  const details = el("details", { ontoggle: () => details.childElementCount === 1 && details.append(make()) }, el("summary", {}, title));
  return details;
};

/** Names and values, a line each. */
const facts = (caption, all) =>
  table(caption, [], all.map((fact) => [named(fact.name), { text: named(fact.value), is: "text" }]), "facts");

/** Buttons of which one is pressed. */
const choice = (label, options, chosen, onChoice) => {
  const buttons = options.map(([value, text]) =>
    el("button", { type: "button", "aria-pressed": String(value === chosen), onclick: () => {
      buttons.forEach((button, index) => button.setAttribute("aria-pressed", String(options[index][0] === value)));
      onChoice(value);
    } }, text));
  return el("div", { class: "choice", role: "group", "aria-label": label }, buttons);
};

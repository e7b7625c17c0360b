// All experiments below a folder: filtered by host, JVM and transport, sorted by any column.

const FILTERS = [["hosts", "Host"], ["jvms", "JVM"], ["transports", "Transport"]];
const COLUMNS = [
  ["date", "Date", (each) => each.date], ["name", "Experiment", (each) => each.command],
  ["told", "Results", (each) => each.asked], ["transports", "Transports", (each) => each.transports.join()],
  ["jvms", "JVM", (each) => each.jvms.join()], ["verdicts", "Verdicts", (each) => each.verdicts.join()],
];

const showGallery = (gallery) => {
  const state = { column: 0, isRising: false };
  const selects = FILTERS.map(([key, name]) => {
    const values = [...new Set(gallery.experiments.flatMap((each) => each[key]))].sort();
    return el("select", { id: "filter-" + key, onchange: () => fillRows() }, el("option", { value: "" }, "all"),
      values.map((value) => el("option", { value }, value)));
  });
  const rows = el("tbody", {});
  const told = el("output", { class: "hint", "aria-live": "polite" });
  const headings = COLUMNS.map(([, name], at) => el("th", { scope: "col" }, el("button", { type: "button", onclick: () => {
    state.isRising = state.column === at ? !state.isRising : true;
    state.column = at;
    fillRows();
  } }, name)));
  const fillRows = () => {
    const kept = gallery.experiments.filter((each) => FILTERS.every(([key], at) => selects[at].value === "" || each[key].includes(selects[at].value)));
    const by = COLUMNS[state.column][2];
    kept.sort((one, other) => by(one).localeCompare(by(other)) * (state.isRising ? 1 : -1));
    headings.forEach((heading, at) => (at === state.column ? heading.setAttribute("aria-sort", state.isRising ? "ascending" : "descending") : heading.removeAttribute("aria-sort")));
    rows.replaceChildren(...kept.map(experimentRow));
    told.textContent = kept.length + " of " + gallery.experiments.length + " experiments";
  };
  document.getElementById("page").append(
    el("header", {}, el("div", { class: "top" }, el("p", { class: "kicker" }, "Baton " + gallery.version), themeSwitch()), el("h1", {}, "Experiments in ", named(gallery.title))),
    el("main", { id: "main" }, el("div", { class: "filters" }, FILTERS.map(([key, name], at) => el("label", { for: "filter-" + key }, name, selects[at]))), told,
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Experiments" }, el("table", { class: "gallery" }, el("thead", {}, el("tr", {}, headings)), rows))));
  fillRows();
  document.documentElement.dataset.ready = "true";
};

const experimentRow = (each) => el("tr", {},
  el("td", { class: "date" }, each.date.slice(0, 16).replace("T", " ")),
  el("td", {}, linkTo(each.report, each.name), commandLine("div", "code soft", each.command)),
  el("td", { class: "told" }, el("div", {}, named(each.asked.split("; ")[0])), el("div", { class: "soft" }, named(each.answers.join(" "))),
    each.complaints > 0 ? el("div", { class: "warning" }, each.complaints + " problems of reading") : null),
  el("td", {}, named(each.transports.join(", "))), el("td", {}, each.jvms.map((jvm) => el("div", {}, named(jvm))), each.hosts.map((host) => el("div", { class: "soft" }, named(host))),
    each.grade ? el("div", {}, "grade ", el("span", { class: "grade" }, each.grade)) : null),
  el("td", {}, each.verdicts.map((verdict) => [el("span", { class: "badge " + verdict.toLowerCase() }, verdict), " "])));

applyTheme();
showGallery(JSON.parse(document.getElementById("data").textContent));

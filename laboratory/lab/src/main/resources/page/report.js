// The report: question, results, and evidence, in this order.

const SECTIONS = [
  ["verdicts", "Verdicts", verdictSection],
  ["throughput", "Latency over load", throughputSection],
  ["percentiles", "Percentiles", percentileSection],
  ["time", "Over time", timeSection],
  ["tail", "Why the tail is slow", tailSection],
  ["stages", "Where in the chain", stageSection],
  ["capacity", "Capacity", capacitySection],
  ["price", "Cost of a chain", priceSection],
  ["cost", "Cost", costSection],
  ["matrix", "Matrix", matrixSection],
  ["guarantees", "Guarantees", ledgerSection],
  ["environment", "Environment", environmentSection],
  ["files", "Files", fileSection],
];

/** The first part of a title is what matters. */
const halves = (whole) => {
  const text = whole.charAt(0).toUpperCase() + whole.slice(1);
  const at = text.indexOf("; ");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 2)];
};

const head = (experiment, isOnly) => {
  const [main, more] = halves(experiment.asked);
  return [
    isOnly ? el("h1", {}, named(main)) : el("h3", {}, named(main)),
    more ? el("p", { class: "sub" }, named(more)) : null,
    el("div", { class: "answers" }, experiment.answers.map((answer) => el("p", { class: "answer" }, named(answer)))),
    experiment.command ? commandLine("p", "code", experiment.command) : null,
    el("p", { class: "hint" }, experiment.grade ? [el("span", { class: "grade" }, experiment.grade.letter), " "] : null, named(experiment.machine)),
    experiment.missing.length === 0 ? null : el("p", { class: "warning" }, "Without a result: ", named(experiment.missing.join(", "))),
    experiment.complaints.length === 0 ? null : el("div", { class: "warning complaints" }, el("p", {}, "Not everything could be read:"),
      el("ul", { class: "plain" }, experiment.complaints.map((complaint) => el("li", {}, named(complaint))))),
  ];
};

const show = (report) => {
  const isOnly = report.experiments.length === 1;
  const made = SECTIONS.map(([id, title, make]) => [id, title, make(report)]).filter(([, , section]) => section !== null);
  document.getElementById("page").append(
    el("header", {},
      el("div", { class: "top" }, el("p", { class: "kicker" }, "Baton " + report.version + " \u00b7 ", named(report.title)), themeSwitch()),
      isOnly ? head(report.experiments[0], true)
        : [el("h1", {}, report.title), report.experiments.map((experiment, at) => el("article", {}, el("h2", {}, (at + 1) + ": ", named(experiment.name)), head(experiment, false)))],
      el("nav", { "aria-label": "Sections" }, el("ul", {}, made.map(([id, title]) => el("li", {}, el("a", { href: "#" + id }, title)))))),
    el("main", { id: "main" }, made.map(([id, title, section]) => el("section", { id, "aria-labelledby": id + "-title" }, el("h2", { id: id + "-title" }, title), section.element))),
    el("footer", {}, el("p", { class: "hint" }, "Written from the files in this folder, by ./baton report. The page makes no network requests.")));
  made.forEach(([, , section]) => section.draw?.());
  document.documentElement.dataset.ready = "true";
};

applyTheme();
show(JSON.parse(document.getElementById("data").textContent));

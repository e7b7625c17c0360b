// Verdicts, the matrix, guarantees, environment, files.

const badge = (verdict) => el("span", { class: "badge " + verdict.toLowerCase() }, verdict);
const MOST_CARDS = 8;
const MOST_REASONS = 2;
const MOST_COLUMNS = 6; // of trials; more are rows

const verdictSection = (report) => {
  const { trials, headings } = report;
  if (trials.length === 0) {
    return null;
  }
  const caption = "Figures of each trial; in parentheses: fewer than 100 samples above";
  const all = () => trials.length > MOST_COLUMNS
    ? table(caption, ["trial", "verdict", ...headings], trials.map((trial) => [named(trial.name), { text: badge(trial.verdict) }, ...trial.figures]))
    : table(caption, ["", ...trials.map((trial) => named(trial.name))],
        [["verdict", ...trials.map((trial) => ({ text: badge(trial.verdict) }))], ...headings.map((heading, at) => [heading, ...trials.map((trial) => trial.figures[at])])]);
  const troubled = trials.filter((trial) => trial.reasons.length > 0);
  return { element: el("div", {},
    trials.length > MOST_CARDS ? verdictCounts(trials) : el("div", { class: "cards" }, trials.map((trial) => card(trial, headings))),
    trials.length > MOST_CARDS && troubled.length > 0
      ? tableOf("Reasons, " + count(troubled.length) + (troubled.length === 1 ? " trial" : " trials"), () => el("ul", { class: "plain" }, troubled.map((trial) => el("li", {}, named(trial.name), ": ", named(trial.reasons.join("; "))))))
      : null,
    report.remarks.map((remark) => el("p", { class: "note" }, remark.replace("columns", "trials").replace(" (below)", ""))),
    report.tables.map((each) => [table(each.caption, each.headings, each.rows), each.notes.map((note) => el("p", { class: "hint" }, named(note)))]),
    trials.length > MOST_CARDS ? tableOf("All figures", all) : all()) };
};

const verdictCounts = (trials) => el("p", {}, [...new Set(trials.map((trial) => trial.verdict))].map((verdict) =>
  [badge(verdict), " " + trials.filter((trial) => trial.verdict === verdict).length + " of " + trials.length + " trials\u2003"]));

const CARD_FIGURES = ["p50", "p99", "p99.9", "max", "achieved/s", "CPU", "handled after", "caught up after"];

const card = (trial, headings) => el("div", { class: "card c" + (trial.series % COLOURS) },
  el("h3", {}, named(trial.name), badge(trial.verdict)),
  el("dl", {}, CARD_FIGURES.map((heading) => {
    const figure = trial.figures[headings.indexOf(heading)];
    return !figure || figure.text === "-" ? null : el("div", {}, el("dt", {}, heading),
      el("dd", { class: isGrey(figure) ? "grey" : "" }, isGrey(figure) ? "(" + figure.text + ")" : figure.text));
  })),
  trial.reasons.length === 0 ? null : el("p", { class: "reasons", title: trial.reasons.join("; ") }, named(trial.reasons.slice(0, MOST_REASONS).join("; ")),
    trial.reasons.length > MOST_REASONS ? "; and " + count(trial.reasons.length - MOST_REASONS) + " more" : ""));

const MARKS = { best: "best", same: "as good as the best, within the noise", worse: "" };

const matrixSection = (report) => {
  const all = report.experiments.filter((experiment) => experiment.matrix);
  if (all.length === 0) {
    return null;
  }
  return { element: el("div", {},
    el("p", { class: "soft" }, "Median, and below it the whole range of a row's trials. * is the best median; ~ is as good within the noise: the ranges overlap, or the medians differ by no more than those of identical trials. Blue is best or as good; orange is worse."),
    all.map((experiment) => [report.experiments.length > 1 ? el("h3", {}, named(experiment.name)) : null, grid(experiment.matrix),
      experiment.matrix.legend.map((note) => el("p", { class: "hint" }, note))])) };
};

const grid = (matrix) => table("Median and range of each variant", ["", ...matrix.headings, "verdicts"],
  matrix.rows.map((row) => [named(row.name), ...row.cells.map((cell) => ({ text: gridCell(cell), is: gridClass(cell) })), row.verdicts]), "grid");

const gridClass = ({ rank, times }) => (rank !== "worse" ? rank : times < 1.25 ? "worse1" : times < 2.5 ? "worse2" : "worse3");

const gridCell = (cell) => el("span", { title: [MARKS[cell.rank], cell.times > 1 ? digits(cell.times) + " times the best" : "", cell.hasFewSamples ? "fewer than 100 samples above" : ""].filter(Boolean).join("; ") },
  (cell.hasFewSamples ? "(" + cell.median + ")" : cell.median) + ({ best: " *", same: " ~" }[cell.rank] || ""),
  cell.range ? el("span", { class: "range" }, cell.range) : null);

const ledgerSection = (report) => {
  const promises = report.experiments.flatMap((experiment) => experiment.ledger);
  if (promises.length === 0) {
    return null;
  }
  return { element: el("div", {},
    el("p", { class: "soft" }, "The guarantees of each transport during the measurement. Do not rank figures under different guarantees."),
    promises.map((promise) => [el("h3", {}, named(promise.names.join(", "))),
      promise.guarantees.length === 0 ? null : el("p", {}, named(promise.guarantees.join(", "))), facts("Properties of this transport", promise.facts)])) };
};

const environmentSection = (report) => ({ element: el("div", {}, report.experiments.map((experiment) => [
  report.experiments.length > 1 ? el("h3", {}, named(experiment.name)) : null,
  experiment.machine ? el("p", {}, named(experiment.machine)) : null,
  experiment.grade ? gradeOf(experiment.grade) : el("p", { class: "hint" }, "The machine was not graded (./baton doctor does)."),
  experiment.origin.length === 0 ? null : facts("Time and build", experiment.origin),
  experiment.runs.length === 0 ? null : facts("Engine, loops and generator", experiment.runs),
  experiment.environment.length === 0 ? null : tableOf("All properties of machine and JVM", () => facts("Machine and JVM", experiment.environment)),
])) });

const gradeOf = (grade) => el("div", {}, el("p", {}, "Grade of the machine for latency measurements: ", el("span", { class: "grade" }, grade.letter)),
  grade.findings.length === 0 ? null : el("ul", { class: "plain" }, grade.findings.map((finding) =>
    el("li", {}, el("strong", {}, finding.letter), " ", named(finding.what), finding.remedy ? [" ", el("span", { class: "soft" }, named(finding.remedy))] : null))));

const fileSection = (report) => ({ element: el("div", {},
  el("p", { class: "soft" }, "The .hlog files are logs of HdrHistogram, in nanoseconds."),
  report.experiments.map((experiment) => [report.experiments.length > 1 ? el("h3", {}, named(experiment.name)) : null,
    el("ul", { class: "plain" }, experiment.files.map((file) => el("li", {}, linkTo(file.href, file.name))))])) });

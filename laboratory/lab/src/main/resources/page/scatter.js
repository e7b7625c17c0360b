// Points with names: how many chains a machine carries, and what low latency costs.

const SHAPES = [
  (x, y, r) => svg("circle", { cx: x, cy: y, r }),
  (x, y, r) => svg("rect", { x: x - r, y: y - r, width: 2 * r, height: 2 * r }),
  (x, y, r) => svg("path", { d: `M${x} ${y - r * 1.2}L${x + r * 1.2} ${y + r}L${x - r * 1.2} ${y + r}Z` }),
  (x, y, r) => svg("path", { d: `M${x} ${y - r * 1.4}L${x + r * 1.4} ${y}L${x} ${y + r * 1.4}L${x - r * 1.4} ${y}Z` }),
];

/** Least and most of some values with a little room; on a logarithmic axis as factors. */
const roomFor = (values, isLog) => {
  const least = Math.min(...values);
  const most = Math.max(...values);
  return isLog ? [least / 1.4, most * 1.4] : [0, most * 1.1 || 1];
};

/**
 * Draws one.
 *
 * @param x and y axes: label, isLog, text
 * @param points with x, y, series, isHollow, isCross, name, words
 * @param lines with points, series, isDotted
 * @param rules lines across, with y and text
 */
const scatter = ({ label, x, y, points, lines = [], rules = [], isNamed }) => {
  const readout = el("output", { class: "readout" });
  const draw = (width) => {
    const height = width < 500 ? 280 : 340;
    const all = [...points.map((point) => [point.x, point.y]), ...lines.flatMap((line) => line.points)];
    const [x0, x1] = roomFor(all.map((point) => point[0]), x.isLog);
    const [y0, y1] = roomFor([...all.map((point) => point[1]), ...rules.map((rule) => rule.y)], y.isLog);
    const yTicks = y.isLog ? logTicks(y0, y1) : evenTicks(y0, y1, 5);
    const [left, right, top, bottom] = [Math.ceil(26 + Math.max(0, ...yTicks.map((value) => textWidth(y.text(value))))), 16, 12, 46];
    const share = (value, least, most, isLog) => (isLog ? Math.log(value / least) / Math.log(most / least) : (value - least) / (most - least));
    const px = (value) => left + share(value, x0, x1, x.isLog) * (width - left - right);
    const py = (value) => height - bottom - share(value, y0, y1, y.isLog) * (height - top - bottom);
    const xTicks = thinned(x.ticks && x.ticks.length <= 10 ? x.ticks : x.isLog ? logTicks(x0, x1) : evenTicks(x0, x1, 6), Math.floor(width / 80));
    const told = (words) => ({ onmouseenter: () => { readout.textContent = words; }, onfocus: () => { readout.textContent = words; } });
    return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": label },
      xTicks.map((value) => [svg("line", { class: "rule", x1: px(value), x2: px(value), y1: top, y2: height - bottom }),
        svg("text", { x: px(value), y: height - bottom + 16, "text-anchor": "middle" }, x.text(value))]),
      yTicks.map((value) => [svg("line", { class: "rule", x1: left, x2: width - right, y1: py(value), y2: py(value) }),
        svg("text", { x: left - 6, y: py(value) + 4, "text-anchor": "end" }, y.text(value))]),
      svg("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, x.label),
      svg("text", { x: -(top + height - bottom) / 2, y: 12, transform: "rotate(-90)", "text-anchor": "middle" }, y.label),
      rules.map((rule) => [svg("line", { class: "limit", x1: left, x2: width - right, y1: py(rule.y), y2: py(rule.y) }),
        svg("text", { class: "limit", x: left + 6, y: py(rule.y) - 5 }, rule.text)]),
      lines.map((line) => svg("g", { class: colourClass(line.series) },
        svg("path", { class: "way" + (line.isDotted ? " dotted" : ""), "stroke-dasharray": line.isDotted ? null : seriesDash(line.series).join(" "),
          d: line.points.map(([a, b], at) => (at === 0 ? "M" : "L") + px(a).toFixed(1) + " " + py(b).toFixed(1)).join("") }),
        line.isDotted ? line.points.map(([a, b]) => svg("circle", { class: "mark", cx: px(a), cy: py(b), r: 2.5 })) : null)),
      points.map((point) => {
        const mark = point.isCross
          ? svg("path", { d: `M${px(point.x) - 5} ${py(point.y) - 5}l10 10m0 -10l-10 10` })
          : SHAPES[point.series % SHAPES.length](px(point.x), py(point.y), 5);
        mark.setAttribute("class", "mark" + (point.isHollow ? " hollow" : ""));
        return svg("g", { class: "c" + (point.series % COLOURS), tabindex: "0", role: "img", "aria-label": point.words, ...told(point.words) },
          svg("circle", { class: "ring", cx: px(point.x), cy: py(point.y), r: 10, fill: "transparent" }), mark, svg("title", {}, point.words));
      }),
      isNamed ? namesBeside(points.map((point) => ({ x: px(point.x), y: py(point.y), name: point.name })), left, width) : null);
  };
  return el("div", {}, drawnToWidth(draw), readout);
};

/** Names beside their points, moved apart where they would cover each other. */
const namesBeside = (points, left, width) => {
  const fitting = (name, room) => {
    let short = name;
    for (let length = name.length; length > 1 && textWidth(short) > room; length--) {
      short = name.slice(0, length - 1) + "\u2026";
    }
    return short;
  };
  let last = -Infinity;
  return [...points].sort((one, other) => one.y - other.y).map((point) => {
    const y = Math.max(point.y + 4, last + 14);
    last = y;
    const [before, after] = [point.x - 11 - left, width - 11 - point.x];
    const isRight = textWidth(point.name) <= after || after >= before;
    return svg("text", { class: "name", x: point.x + (isRight ? 11 : -11), y, "text-anchor": isRight ? "start" : "end" }, fitting(point.name, isRight ? after : before));
  });
};

const capacitySection = (report) => {
  const trials = report.trials.filter((trial) => trial.capacity && trial.capacity.worstNanos !== null);
  if (trials.length === 0) {
    return null;
  }
  const series = [...new Set(trials.map((trial) => trial.series))];
  const own = series.map((of, index) => ({ name: report.series[of], index }));
  const elsewhere = report.elsewhere.capacity;
  const x = { label: "chains", isLog: true, text: count, ticks: [...new Set([...trials.map((trial) => trial.capacity.instances), ...elsewhere.map((each) => each.points[each.points.length - 1][0])])].sort((one, other) => one - other) };
  const words = (trial) => trial.name + ": " + trial.verdict + ", worst chain's p99.9 " + time(trial.capacity.worstNanos)
    + (trial.capacity.cores === null ? "" : ", CPU " + percent(trial.capacity.cores) + " of a core");
  const point = (trial, y) => ({ x: trial.capacity.instances, y, series: series.indexOf(trial.series), isCross: trial.verdict.startsWith("FAIL"),
    isHollow: trial.verdict !== "PASS", name: trial.name, words: words(trial) });
  const line = (of, figure) => ({ series: series.indexOf(of), points: trials.filter((trial) => trial.series === of && figure(trial) !== null)
    .map((trial) => [trial.capacity.instances, figure(trial)]).sort((one, other) => one[0] - other[0] || one[1] - other[1]) });
  const limits = [...new Map(trials.flatMap((trial) => trial.limits).filter((limit) => limit.percentile === 99.9).map((limit) => [limit.nanos, limit])).values()];
  const withCpu = trials.filter((trial) => trial.capacity.cores !== null);
  return { element: el("div", {},
    el("p", { class: "soft" }, "Each point is a trial: how many chains ran, and how long the slowest of them took at p99.9. Filled: passed; cross: failed; hollow: provisional or inconclusive."),
    scatter({ label: "Worst chain's p99.9 by number of chains", x, y: { label: "worst p99.9", isLog: true, text: tick },
      points: trials.map((trial) => point(trial, trial.capacity.worstNanos)),
      lines: [...series.map((of) => line(of, (trial) => trial.capacity.worstNanos)),
        ...elsewhere.map((each) => ({ series: ownIndex(each.name, own), isDotted: true, points: each.points }))],
      rules: limits.map((limit) => ({ y: limit.nanos, text: limit.text })) }),
    el("ul", { class: "legend" }, series.map((of, at) => el("li", { class: "label" }, swatch(at), " ", named(report.series[of]))),
      elsewhere.map((each) => el("li", { class: "label" }, swatch(ownIndex(each.name, own), true), " ", named(each.name)))),
    withCpu.length < 2 ? null : [el("h3", {}, report.headings.includes("broker CPU") ? "CPU, the broker's included" : "CPU"),
      scatter({ label: "CPU by number of chains", x, y: { label: "of a core", isLog: false, text: percentTick },
        points: withCpu.map((trial) => point(trial, trial.capacity.cores)), lines: series.map((of) => line(of, (trial) => trial.capacity.cores)) })],
    tableOf("The same as a table", () => table("Trials by number of chains", ["trial", "chains", "worst p99.9", "CPU of a core", "verdict"],
      trials.map((trial) => [named(trial.name), count(trial.capacity.instances), time(trial.capacity.worstNanos), percent(trial.capacity.cores), trial.verdict]))),
    elsewhere.length === 0 ? null : sourcesOf(report.elsewhere.title, elsewhere)) };
};

/** What a chain costs where the whole machine is paid for. */
const PRICES = {
  normalised: { name: "1 / chains, as published", label: "normalised cost, 1 / chains", of: (each) => 1 / each.chains, text: (value) => String(Number(value.toPrecision(3))) },
  thousand: { name: "Price", label: "1,000 chains for an hour", of: (each) => each.thousandAnHour ?? null, text: (value) => String(Number(value.toPrecision(3))) },
};

const priceSection = (report) => {
  const isOnly = report.experiments.length === 1;
  const all = report.experiments.flatMap((experiment, at) => experiment.costs.map((each) => ({ ...each, name: (isOnly || each.isPublished ? "" : (at + 1) + ": ") + each.name })));
  const costs = all.filter((each, at) => !each.isPublished || all.findIndex((other) => other.isPublished && other.name === each.name) === at);
  if (costs.length === 0) {
    return null;
  }
  const currencies = [...new Set(costs.filter((each) => (each.currency ?? null) !== null).map((each) => each.currency))];
  const keys = Object.keys(PRICES).filter((key) => key === "normalised" || currencies.length === 1);
  const unit = (key) => (key === "thousand" && currencies[0] ? " " + currencies[0] : "");
  const words = (each) => (each.isBound ? "at least " : "") + count(each.chains) + " chains on " + each.cores + " cores, " + digits(each.chains / each.cores) + " per core";
  const body = el("div", {});
  const show = (key) => {
    const price = PRICES[key];
    const known = costs.map((each, at) => [each, at]).filter(([each]) => price.of(each) !== null);
    body.replaceChildren(scatter({ label: "Cost by chains per core", x: { label: "chains per core", isLog: true, text: (value) => String(Number(value.toPrecision(3))) },
      y: { label: price.label + unit(key), isLog: true, text: price.text }, isNamed: true,
      points: known.map(([each, at]) => ({ x: each.chains / each.cores, y: price.of(each), series: at, isHollow: each.isPublished || !each.isSure, name: each.name,
        words: each.name + ": " + words(each) + ", " + price.label + " " + price.text(price.of(each)) + unit(key) })) }));
  };
  const elsewhere = report.elsewhere.capacity;
  return {
    element: el("div", {},
      el("p", { class: "soft" }, "What a chain costs on a machine that is paid for as a whole: further right and further down is cheaper. Hollow: provisional, or published by others."),
      keys.length < 2 ? null : el("div", { class: "tools" }, choice("Cost", keys.map((key) => [key, PRICES[key].name]), keys[0], show)), body,
      tableOf("The same as a table", () => table("Cost of a chain", ["", "chains", "cores", "per core", ...keys.map((key) => PRICES[key].label + unit(key))],
        costs.map((each) => [named(each.name), (each.isBound ? ">= " : "") + count(each.chains), count(each.cores), digits(each.chains / each.cores),
          ...keys.map((key) => (PRICES[key].of(each) === null ? "-" : (each.isBound ? "<= " : "") + PRICES[key].text(PRICES[key].of(each))))]))),
      elsewhere.length === 0 ? null : sourcesOf(report.elsewhere.title, elsewhere)),
    draw: () => show(keys[0]),
  };
};

const MOST_NAMED = 8;

/** What the marks stand for. */
const seriesList = (report, all) => el("ul", { class: "legend" }, all.map((series) => el("li", { class: "label c" + (series % COLOURS) },
  markOf(series), " ", named(report.series[series]))));

const markOf = (series) => {
  const mark = SHAPES[series % SHAPES.length](8, 8, 5);
  mark.setAttribute("class", "mark");
  return svg("svg", { width: 16, height: 16, "aria-hidden": "true" }, mark);
};

const MEASURES = {
  nanosPerHop: { name: "CPU per hop", label: "CPU time per hop", text: tick },
  cores: { name: "CPU", label: "CPU of a core", text: percentTick },
  residentBytes: { name: "Memory", label: "resident memory", text: bytes },
};

/** Whether there is room for each name beside its point. */
const isNamed = (trials) => trials.length <= MOST_NAMED && new Set(trials.map((trial) => trial.series)).size === trials.length;

const costSection = (report) => {
  const trials = report.trials.filter((trial) => trial.cost.p999Nanos !== null);
  const measures = Object.keys(MEASURES).filter((key) => trials.filter((trial) => trial.cost[key]).length > 1);
  if (trials.length < 2 || measures.length === 0) {
    return null;
  }
  const body = el("div", {});
  const show = (key) => {
    const measure = MEASURES[key];
    const known = trials.filter((trial) => trial.cost[key]);
    body.replaceChildren(scatter({ label: "p99.9 against " + measure.label, x: { label: measure.label, isLog: true, text: measure.text },
      y: { label: "p99.9", isLog: true, text: tick }, isNamed: isNamed(known),
      points: known.map((trial) => ({ x: trial.cost[key], y: trial.cost.p999Nanos, series: trial.series, isHollow: trial.cost.hasFewSamples, name: trial.name,
        words: trial.name + ": p99.9 " + time(trial.cost.p999Nanos) + ", " + measure.label + " " + measure.text(trial.cost[key]) })) }),
      isNamed(known) ? "" : seriesList(report, [...new Set(known.map((trial) => trial.series))]));
  };
  return {
    element: el("div", {},
      el("p", { class: "soft" }, "What low latency costs: further left is cheaper, further down is faster. Hollow: fewer than 100 samples above p99.9."),
      el("div", { class: "tools" }, choice("Cost", measures.map((key) => [key, MEASURES[key].name]), measures[0], show)), body,
      tableOf("The same as a table", () => table("Cost and tail", ["trial", "p99.9", ...measures.map((key) => MEASURES[key].label)],
        trials.map((trial) => [named(trial.name), { text: time(trial.cost.p999Nanos), hasFewSamples: trial.cost.hasFewSamples },
          ...measures.map((key) => (trial.cost[key] ? MEASURES[key].text(trial.cost[key]) : "-"))])))),
    draw: () => show(measures[0]),
  };
};

const throughputSection = (report) => {
  const chart = report.throughput;
  if (chart === null) {
    return null;
  }
  const tail = "p" + chart.percentile;
  const items = (value) => (value < 1e6 ? count(Math.round(value)) : Math.round(value / 1e4) / 100 + " M");
  const name = (point) => report.throughput.series[point.series];
  const words = (point) => name(point) + ", " + items(point.itemsPerSecond) + " " + chart.unit.split(/[ ,]/)[0] + ": " + tail + " " + time(point.nanos) + " of "
    + count(point.count) + " responses" + (point.trials > 1 ? " of " + point.trials + " trials" : "") + (point.isFailed ? ", FAIL" : point.isDoubtful ? ", inconclusive or overloaded" : "");
  const line = (at) => ({ series: at, points: chart.points.filter((point) => point.series === at)
    .map((point) => [point.itemsPerSecond, point.nanos]).sort((one, other) => one[0] - other[0]) });
  const own = chart.series.map((of, index) => ({ name: of, index }));
  return { element: el("div", {},
    el("p", { class: "soft" }, "Each point is one load; x: requested rate. Hollow: inconclusive, overloaded (less than 99.9 % of the rate was carried), or fewer than 100 responses above " + tail + "; cross: failed."),
    scatter({ label: tail + " over load", x: { label: chart.unit, isLog: true, text: items }, y: { label: tail, isLog: true, text: tick },
      points: chart.points.map((point) => ({ x: point.itemsPerSecond, y: point.nanos, series: point.series, isHollow: point.hasFewSamples || point.isDoubtful,
        isCross: point.isFailed, name: name(point), words: words(point) })),
      lines: [...chart.series.map((of, at) => line(at)), ...chart.elsewhere.map((each) => ({ series: ownIndex(each.name, own), isDotted: true, points: each.points }))],
      rules: chart.limits.map((limit) => ({ y: limit.nanos, text: limit.text })) }),
    el("ul", { class: "legend" }, chart.series.map((of, at) => el("li", { class: "label" }, swatch(at), " ", named(of))),
      chart.elsewhere.map((each) => el("li", { class: "label" }, swatch(ownIndex(each.name, own), true), " ", named(each.name)))),
    tableOf("The same as a table", () => table(tail + " over load", ["series", chart.unit, tail, "responses", "trials", ""],
      chart.points.map((point) => [named(name(point)), items(point.itemsPerSecond), { text: time(point.nanos), hasFewSamples: point.hasFewSamples },
        count(point.count), count(point.trials), point.isFailed ? "FAIL" : point.isDoubtful ? "inconclusive or overloaded" : ""]))),
    chart.elsewhere.length === 0 ? null : sourcesOf(report.elsewhere.title, chart.elsewhere)) };
};

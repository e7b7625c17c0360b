// One trial second by second: latency, what held it up, what it used, and every response as a heat map.

const KINDS = { gc: "garbage collection", safepoint: "safepoint", stopped: "process stopped", host: "stall of the machine", busy: "all cores busy" };
const MANY = { gc: "garbage collections", safepoint: "safepoints", stopped: "stops of the process", host: "stalls of the machine", busy: "times with all cores busy" };
const KIND_COLOURS = { gc: "s3", safepoint: "s0", stopped: "s2", host: "s1", busy: "s4" };
const CURSOR = "time";

const timeSection = (report) => {
  const drawn = report.trials.map((trial, index) => ({ trial, index })).filter(({ trial }) => trial.time);
  if (drawn.length === 0) {
    return null;
  }
  const body = el("div", {});
  const select = el("select", { id: "which-trial", onchange: () => show(Number(select.value)) },
    drawn.map(({ trial, index }) => el("option", { value: index }, trial.name)));
  let own = [];
  const show = (index) => {
    own.forEach((plot) => {
      plots.splice(plots.indexOf(plot), 1);
      plot.chart.destroy();
    });
    body.replaceChildren();
    own = drawTime(report.trials[index], body);
  };
  return {
    element: el("div", {},
      el("div", { class: "tools" }, el("label", { for: "which-trial" }, "Trial"), select,
        el("button", { type: "button", class: "reset", onclick: () => own.forEach((plot) => plot.reset()) }, "Reset zoom")),
      body),
    draw: () => show(drawn[0].index),
  };
};

const drawTime = (trial, body) => {
  const line = trial.time;
  const own = [];
  const readout = el("output", { class: "readout", "aria-live": "polite" });
  let isLinking = false;
  const link = (from) => {
    if (isLinking) {
      return;
    }
    isLinking = true;
    const { min, max } = from.scales.x;
    own.filter((plot) => plot.chart !== from).forEach((plot) => plot.chart.setScale("x", { min, max }));
    isLinking = false;
  };
  const onCursor = (at) => { readout.textContent = at === null ? "" : timeText(line, at); };
  const common = (label, height, options, data) => {
    const plot = makePlot({ label, height, isLog: false, data, onCursor, options: {
      ...options,
      scales: { x: { time: false, range: (chart, min, max) => [min <= line.end[0] ? Math.max(0, line.end[0] - line.secondsEach) : min, max] }, ...options.scales },
      cursor: { drag: { x: true, y: false }, sync: { key: CURSOR, setSeries: false }, points: { size: 6 } },
      hooks: { ...options.hooks, setScale: [(chart, key) => key === "x" && link(chart)] },
    } });
    body.append(plot.box);
    plot.draw();
    own.push(plot);
  };
  const names = ["p50", "p99", "max"];
  const latency = [line.end, line.p50, line.p99, line.max];
  const each = line.secondsEach;
  if (line.max.some((value) => value !== null)) {
    const keys = legend("Lines of the time line", names.map((name, index) => ({ name, index })),
      (place, isShown) => own[0].chart.setSeries(place + 1, { show: isShown }));
    body.append(el("p", { class: "soft" }, "Latency in each " + (each === 1 ? "second" : each + " seconds")
      + (line.isWorstSecond ? "; of each few seconds the worst one's, as no log was kept to merge" : "")
      + ". A point at 5 s is what arrived from " + (5 - Math.min(5, each)) + " to 5 s."), readout);
    common("Latency over time", 240, {
      scales: { y: { distr: 3, log: 10, range: latencyRange(trial.limits.map((limit) => limit.nanos)) } },
      axes: [secondsAxis(), latencyAxis("latency")],
      series: [{}, ...names.map((name, index) => ({ label: name, stroke: () => seriesColour(index), width: 1.75, dash: seriesDash(index), points: { show: line.end.length < 40, size: 4, fill: () => seriesColour(index) } }))],
      hooks: { draw: [(chart) => trial.limits.forEach((limit) => drawRule(chart, limit.nanos, limit.text))] },
    }, latency);
    body.append(keys.element);
  } else {
    body.append(el("p", { class: "soft" }, "No message was measured."));
  }
  events(trial, line, common, body);
  usage(line, common, body);
  holding(line, common, body);
  if (trial.heat) {
    body.append(el("h3", {}, "All responses"), heatLegend());
    common("Heat map of responses by time and latency", 280, heatOptions(trial, line), [line.end, line.max]);
  }
  body.append(tableOf("As a table", () => timeTable(line)), trial.disturbances.length === 0 ? ""
    : tableOf("Pauses and stalls", () => disturbanceTable(trial)));
  return own;
};

const timeText = (line, at) => "until " + seconds(line.end[at]) + ": p50 " + time(line.p50[at]) + ", p99 " + time(line.p99[at])
  + ", max " + time(line.max[at]) + (line.steal[at] === null ? "" : ", steal " + percent(line.steal[at]))
  + (line.jvm[at] === null ? "" : ", JVM " + percent(line.jvm[at]) + " of a core")
  + (line.broker[at] === null ? "" : ", broker " + percent(line.broker[at]));

/** A lane for each kind of disturbance, on the same time axis. */
const events = (trial, line, common, body) => {
  const kinds = Object.keys(KINDS).filter((kind) => trial.disturbances.some((each) => each.kind === kind));
  if (kinds.length === 0) {
    body.append(el("p", { class: "hint" }, "No pause or stall was recorded in this trial."));
    return;
  }
  body.append(el("h3", {}, "Pauses and stalls"), el("p", { class: "hint" },
    kinds.map((kind) => summary(trial, kind)).join("; ")
      + (trial.omitted > 0 ? "; " + count(trial.omitted) + " shorter ones are not drawn" : "") + "."));
  common("Pauses and stalls over time", 30 + 24 * kinds.length + 20, {
    scales: { y: { range: () => [0, kinds.length] } },
    axes: [secondsAxis(),
      axis({ size: 82, grid: { show: false }, ticks: { show: false }, splits: () => kinds.map((kind, at) => at + 0.5), filter: (chart, splits) => splits,
        values: () => kinds.map((kind) => ({ gc: "GC", safepoint: "safepoint", stopped: "stopped", host: "machine", busy: "busy" })[kind]) })],
    series: [{}, { stroke: "transparent", points: { show: false } }],
    hooks: { draw: [(chart) => drawLanes(chart, kinds, trial.disturbances)] },
  }, [line.end, line.end.map(() => null)]);
};

const summary = (trial, kind) => {
  const all = trial.disturbances.filter((each) => each.kind === kind);
  const { number, nanos } = kind === "gc" && trial.collections ? trial.collections : { number: all.length, nanos: all.reduce((sum, each) => sum + each.nanos, 0) };
  return count(number) + " " + (number === 1 ? KINDS : MANY)[kind] + ", " + time(nanos) + " in total, longest " + time(Math.max(...all.map((each) => each.nanos)));
};

const drawLanes = (chart, kinds, all) => {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  for (const each of all) {
    const lane = kinds.indexOf(each.kind);
    const from = chart.valToPos(each.startNanos / 1e9, "x", true);
    const to = chart.valToPos((each.startNanos + each.nanos) / 1e9, "x", true);
    const top = chart.valToPos(lane + 0.88, "y", true);
    const bottom = chart.valToPos(lane + 0.12, "y", true);
    ctx.fillStyle = colour(KIND_COLOURS[each.kind]);
    ctx.fillRect(from, top, Math.max(2 * devicePixelRatio, to - from), bottom - top);
  }
  ctx.restore();
};

/** CPU time and steal. */
const usage = (line, common, body) => {
  const all = [["steal, of all CPUs", line.steal, 3], ["whole JVM, with sender and probes, of a core", line.jvm, 4], ["broker, of a core", line.broker, 6]]
    .filter(([, values]) => values.some((value) => value !== null));
  if (all.length === 0) {
    return;
  }
  body.append(el("h3", {}, "CPU and steal"));
  common("CPU and steal over time", 150, {
    scales: { y: { range: (chart, min, max) => [0, Math.max(0.1, max * 1.1)] } },
    axes: [secondsAxis(), axis({ size: 82, space: 30, values: (chart, splits) => splits.map((value) => Math.round(value * 100) + " %") })],
    series: [{}, ...all.map(([name, , index]) => ({ label: name, stroke: () => seriesColour(index), width: 1.75, dash: seriesDash(index), points: { show: false } }))],
  }, [line.end, ...all.map(([, values]) => values)]);
  body.append(el("ul", { class: "legend" }, all.map(([name, , index]) => el("li", { class: "label" }, swatch(index), " ", name))));
};

const HELD = [
  ["Memory and disk of the process", bytes, [["anonymous", "memory, anonymous", 0], ["files", "memory, file-backed", 1],
    ["heap", "heap after collection", 2], ["direct", "direct buffers", 3], ["disk", "disk of the queues", 4]]],
  ["Descriptors, threads and memory maps of the process", count, [["descriptors", "descriptors", 0], ["threads", "threads", 1], ["maps", "memory maps", 2]]],
];

/** What a soak has counted, at the moments when it did. */
const holding = (line, common, body) => {
  for (const [title, text, quantities] of HELD) {
    const all = quantities.filter(([key]) => line.held[key]);
    if (all.length === 0) {
      continue;
    }
    body.append(el("h3", {}, title));
    common(title + " over time", 190, {
      scales: { y: { range: (chart, min, max) => [0, Math.max(1, max * 1.1)] } },
      axes: [secondsAxis(), axis({ size: 82, space: 30, values: (chart, splits) => splits.map(text) })],
      series: [{}, ...all.map(([, name, index]) => ({ label: name, stroke: () => seriesColour(index), width: 1.75, dash: seriesDash(index), spanGaps: true, points: { show: false } }))],
    }, [line.end, ...all.map(([key]) => line.held[key])]);
    body.append(el("ul", { class: "legend" }, all.map(([, name, index]) => el("li", { class: "label" }, swatch(index), " ", name))));
  }
};

const timeTable = (line) => table("Latency in each few seconds", ["until", "p50", "p99", "max", "steal", "JVM"],
  line.end.map((end, at) => [seconds(end), time(line.p50[at]), time(line.p99[at]), time(line.max[at]), percent(line.steal[at]), percent(line.jvm[at])]));

const disturbanceTable = (trial) => table("Pauses and stalls, in their order", ["at", "what", "how long", "which"],
  trial.disturbances.map((each) => [seconds(Math.max(0, each.startNanos / 1e9)), KINDS[each.kind] || each.kind, time(each.nanos), named(each.what || "")]));

const secondsAxis = () => axis({ size: 26, incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600], values: (chart, splits) => splits.map((value) => value + " s") });

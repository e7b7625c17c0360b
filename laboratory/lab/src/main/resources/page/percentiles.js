// Latency by percentile on the axis that readers of HdrHistogram know: each nine as wide as the one before.

const MOST_SHOWN = 12;

const percentileSection = (report) => {
  const drawn = report.trials.map((trial, index) => ({ trial, index })).filter(({ trial }) => trial.curve.length > 1);
  if (drawn.length === 0) {
    return null;
  }
  const elsewhere = report.elsewhere.percentiles;
  const box = el("div", {});
  const readout = el("output", { class: "readout", "aria-live": "polite" });
  const isRepeated = drawn.length > MOST_SHOWN || drawn.some(({ trial }, place) => drawn.findIndex((other) => other.trial.series === trial.series) !== place);
  const items = drawn.some(({ trial }) => trial.capacity) ? byChains(drawn)
    : isRepeated
    ? report.series.map((name, series) => ({ name, index: series, members: drawn.filter(({ trial }) => trial.series === series) }))
        .filter((item) => item.members.length > 0)
    : drawn.map((each, place) => ({ name: each.trial.name, index: place, members: [each] }));
  items.forEach((item, place) => { item.isShown = place < MOST_SHOWN; });
  const state = { isLog: true, elsewhere: elsewhere.map(() => true), plot: null };
  const all = [...items, ...elsewhere.map((each) => ({ name: each.name, index: ownIndex(each.name, items), isDotted: true }))];
  const shown = (place) => items[place].isShown;
  const keys = legend("Lines", all, (place, isShown) => {
    if (place < items.length) {
      items[place].isShown = isShown;
      state.lines.forEach((line, at) => line.place === place && state.plot.chart.setSeries(at + 1, { show: isShown }));
    } else {
      state.elsewhere[place - items.length] = isShown;
      state.plot.chart.redraw();
    }
  });
  const draw = () => {
    if (state.plot) {
      plots.splice(plots.indexOf(state.plot), 1);
      state.plot.chart.destroy();
      box.replaceChildren();
    }
    drawPercentiles(report, items, state, box, keys, readout);
  };
  const limits = [...new Set(drawn.flatMap(({ trial }) => trial.limits.map((limit) => limit.text)))];
  const section = el("div", {},
    el("p", { class: "soft" }, "The latency of each percentile. Faded: fewer than 100 messages are above, so another run will differ there."
      + (limits.length > 0 ? " The dashed line across is the limit, " + limits.join(" and ") + "." : "")),
    el("div", { class: "tools" },
      choice("Vertical axis", [[true, "Logarithmic"], [false, "Linear"]], true, (isLog) => { state.isLog = isLog; draw(); }),
      el("button", { type: "button", class: "reset", onclick: () => state.plot.reset() }, "Reset zoom")),
    readout, box, keys.element,
    el("p", { class: "hint keys" }, "Drag to zoom, double-click to reset. With the chart focused: arrows, plus, minus, 0. Click a name to switch its line off; Shift-click keeps it alone."),
    tableOf("As a table", () => percentileTable(drawn)),
    elsewhere.length === 0 ? null : sourcesOf(report.elsewhere.title, elsewhere));
  return { element: section, draw, shown };
};

/** A line for each number of chains of a series. */
const byChains = (drawn) => {
  const groups = new Map();
  const chains = ({ trial }) => trial.capacity?.instances ?? 0;
  [...drawn].sort((one, other) => one.trial.series - other.trial.series || chains(one) - chains(other)).forEach((each) => {
    const key = each.trial.series + " " + chains(each);
    groups.set(key, [...(groups.get(key) || []), each]);
  });
  return [...groups.values()].map((members, index) => ({ name: members[0].trial.name.replace(/, trial \S+$/, ""), index, members }));
};

/** Where published figures are from. */
const sourcesOf = (title, all) => el("div", {},
  el("p", { class: "hint" }, el("strong", {}, "Dotted: " + title + ". "), [...new Set(all.map((each) => each.source))].join(" ")));

const drawPercentiles = (report, items, state, box, keys, readout) => {
  const lines = [];
  const data = [report.points];
  items.forEach((item, place) => item.members.forEach(({ trial }) => {
    const known = trial.count / 100; // 1 / (1 - p) beyond which fewer than 100 samples lie above
    const solid = report.points.map((point, at) => (at < trial.curve.length && point <= known ? trial.curve[at] : null));
    const lastSolid = solid.reduce((last, value, at) => (value === null ? last : at), -1);
    const faded = report.points.map((point, at) => (at < trial.curve.length && at >= lastSolid ? trial.curve[at] : null));
    lines.push({ place, trial }, { place, trial, isFaded: true });
    data.push(solid, faded);
  }));
  state.lines = lines;
  const most = Math.max(...items.flatMap((item) => item.members.map(({ trial }) => report.points[trial.curve.length - 1])),
    ...report.elsewhere.percentiles.flatMap((each) => each.points.map((point) => point[0])));
  const end = report.points.findIndex((point) => point >= most);
  const cut = data.map((values) => values.slice(0, end + 1));
  const limits = [...new Map(report.trials.flatMap((trial) => trial.limits).map((limit) => [limit.text, limit])).values()];
  const thin = lines.length > 40 ? 1.25 : 2;
  const options = {
    scales: {
      x: { time: false, distr: 3, log: 10, range: (chart, min, max) => [Math.max(1, min), max] },
      y: { distr: state.isLog ? 3 : 1, log: 10, range: state.isLog ? latencyRange(limits.map((limit) => limit.nanos)) : (chart, min, max) => [0, max * 1.05] },
    },
    axes: [
      axis({
        label: "percentile", size: 36, gap: 4,
        splits: (chart, index, min, max) => percentileTicks(min, max, chart.bbox.width / devicePixelRatio),
        filter: (chart, splits) => splits,
        values: (chart, splits) => splits.map(percentile),
      }),
      state.isLog ? latencyAxis("latency") : axis({ label: "latency", size: 62, values: (chart, splits) => splits.map(tick) }),
    ],
    series: [{}, ...lines.map((line) => ({
      label: line.trial.name, show: items[line.place].isShown, spanGaps: false,
      stroke: () => seriesColour(items[line.place].index) , width: line.isFaded ? thin * 0.75 : thin,
      dash: seriesDash(items[line.place].index), alpha: line.isFaded ? 0.45 : 1,
      points: { show: false },
    }))],
    hooks: { draw: [(chart) => {
      limits.forEach((limit) => drawRule(chart, limit.nanos, limit.text));
      report.elsewhere.percentiles.forEach((each, at) => state.elsewhere[at] && drawDotted(chart, each.points, ownIndex(each.name, items)));
    }] },
  };
  const onCursor = (at) => {
    if (at === null) {
      readout.textContent = "";
      keys.show(null);
      return;
    }
    readout.textContent = "at " + percentile(report.points[at]) + ":";
    keys.show(items.map((item) => valueText(item.members, at)));
  };
  state.plot = makePlot({ label: "Latency by percentile", height: innerWidth < 600 ? 320 : 420, options, data: cut, onCursor, isLog: true });
  box.append(state.plot.box);
  state.plot.draw();
};

/** Of one trial its value; of repetitions their range. */
const valueText = (members, at) => {
  const values = members.map(({ trial }) => trial.curve[at]).filter((value) => value !== undefined);
  if (values.length === 0) {
    return "";
  }
  const least = time(Math.min(...values));
  const most = time(Math.max(...values));
  return least === most ? most : least + " .. " + most;
};

const percentileTicks = (min, max, width) => {
  const decades = Math.log10(max / min);
  const wide = width / Math.max(decades, 0.1) > 90;
  const points = [1];
  for (let power = 1; power <= 1e9; power *= 10) {
    points.push(...(decades < 1.2 ? [1.25, 2, 4, 5, 10] : wide ? [2, 10] : [10]).map((each) => each * power));
  }
  const ticks = points.filter((point) => point >= min * 0.999 && point <= max * 1.001 && (point <= 2 || decades < 1.2 || Number.isInteger(Math.round(Math.log10(point) * 1e6) / 1e6)));
  return spaced([...new Set(ticks)].sort((one, other) => one - other), (point) => Math.log10(point / min) / Math.max(decades, 0.1) * width);
};

/** Those whose texts do not overlap. */
const spaced = (points, at) => {
  let free = -Infinity;
  return points.filter((point) => {
    const half = percentile(point).length * 3.5 + 4;
    const fits = at(point) - half > free;
    free = fits ? at(point) + half : free;
    return fits;
  });
};

const drawDotted = (chart, points, index) => {
  const { ctx } = chart;
  const ratio = devicePixelRatio;
  const at = points.map(([x, y]) => [chart.valToPos(x, "x", true), chart.valToPos(y, "y", true)]);
  ctx.save();
  ctx.beginPath();
  ctx.rect(chart.bbox.left, chart.bbox.top, chart.bbox.width, chart.bbox.height);
  ctx.clip();
  ctx.strokeStyle = ctx.fillStyle = seriesColour(index);
  ctx.lineWidth = 2.5 * ratio;
  ctx.lineCap = "round";
  ctx.setLineDash([ratio, 6 * ratio]);
  ctx.beginPath();
  at.forEach(([x, y], place) => (place === 0 ? ctx.moveTo(x, y) : ctx.lineTo(x, y)));
  ctx.stroke();
  ctx.setLineDash([]);
  at.forEach(([x, y]) => {
    ctx.beginPath();
    ctx.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
    ctx.fill();
  });
  ctx.restore();
};

const percentileTable = (drawn) => {
  const names = [...new Set(drawn.flatMap(({ trial }) => trial.marks.map((mark) => mark.percentile)))].sort((one, other) => one - other);
  return table("Percentiles of the responses; in parentheses: fewer than 100 samples above", ["trial", ...names.map((name) => "p" + name), "max", "responses"],
    drawn.map(({ trial }) => [named(trial.name),
      ...names.map((name) => {
        const mark = trial.marks.find((each) => each.percentile === name);
        return mark ? { text: time(mark.nanos), hasFewSamples: mark.hasFewSamples } : "-";
      }),
      time(trial.curve[trial.curve.length - 1]), count(trial.count)]));
};

// A chart on a canvas: drawn by uPlot, used with mouse, touch or keys.

const PAPER_WIDTH = 660;
const plots = [];

const resizePlots = (width) => plots.forEach((plot) => plot.resize(width));
onTheme.push(() => plots.forEach((plot) => plot.chart.redraw(false)));

const KEYS = "Arrow keys move the cursor, plus and minus zoom, 0 shows everything again. Drag to zoom, double-click to reset.";

/**
 * Makes one.
 *
 * @param label what it is called for those who cannot see it
 * @param options uPlot's
 * @param onCursor told the index under the cursor, or null
 * @param isLog whether the horizontal axis is logarithmic
 */
const makePlot = ({ label, height, options, data, onCursor, isLog }) => {
  const box = el("div", { class: "plot", tabindex: "0", role: "group", "aria-roledescription": "chart", "aria-label": label + ". " + KEYS });
  const plot = { box, chart: null, isWhole: true };
  let forced = null;
  const width = () => Math.max(200, forced || box.clientWidth);
  plot.draw = () => {
    plot.chart = new uPlot({
      width: width(), height, legend: { show: false }, padding: [12, 36, 0, 0],
      cursor: { drag: { x: true, y: true, uni: 24 }, points: { size: 7 } },
      ...options,
      hooks: { ...options.hooks, setCursor: [(chart) => onCursor?.(chart.cursor.idx ?? null)],
        setScale: [...(options.hooks?.setScale || []), (chart, key) => key === "x" && tellView(box, chart)] },
    }, data, box);
    plots.push(plot);
    new ResizeObserver(() => forced || plot.resize(null)).observe(box);
    return plot;
  };
  plot.resize = (to) => {
    forced = to;
    if (plot.chart.width !== width()) {
      plot.chart.setSize({ width: width(), height });
    }
  };
  plot.reset = () => plot.chart.setData(plot.chart.data);
  box.addEventListener("keydown", (event) => onKey(event, plot, isLog));
  return plot;
};

/** The part of the horizontal axis that is in view, for those who ask the page. */
const tellView = (box, chart) => {
  box.dataset.from = chart.scales.x.min;
  box.dataset.to = chart.scales.x.max;
};

const onKey = (event, plot, isLog) => {
  const chart = plot.chart;
  const xs = chart.data[0];
  const { min, max } = chart.scales.x;
  const inView = (index) => xs[index] >= min && xs[index] <= max;
  const first = xs.findIndex((x) => x >= min);
  const last = xs.length - 1 - [...xs].reverse().findIndex((x) => x <= max);
  const moveTo = (index) => {
    const bounded = Math.max(first, Math.min(last, index));
    chart.setCursor({ left: chart.valToPos(xs[bounded], "x"), top: chart.bbox.height / devicePixelRatio / 2 }, true, true);
  };
  const now = chart.cursor.idx ?? (event.key === "ArrowLeft" ? last + 1 : first - 1);
  const zoom = (factor) => {
    const to = isLog ? Math.log10 : (x) => x;
    const from = isLog ? (x) => 10 ** x : (x) => x;
    const middle = chart.cursor.idx !== null && chart.cursor.idx !== undefined && inView(chart.cursor.idx)
      ? to(xs[chart.cursor.idx]) : (to(min) + to(max)) / 2;
    const least = Math.max(to(xs[0]), middle - (middle - to(min)) * factor);
    const most = Math.min(to(xs[xs.length - 1]), middle + (to(max) - middle) * factor);
    if (least < most) {
      chart.setScale("x", { min: from(least), max: from(most) });
    }
  };
  const step = event.shiftKey ? 10 : 1;
  const actions = {
    ArrowRight: () => moveTo(now + step), ArrowLeft: () => moveTo(now - step),
    Home: () => moveTo(first), End: () => moveTo(last),
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": plot.reset, Escape: plot.reset,
  };
  if (actions[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    actions[event.key]();
  }
};

const FONT = "12px system-ui, sans-serif";

/** An axis in the page's colours. */
const axis = (options) => ({
  stroke: () => colour("soft"), font: FONT, labelFont: FONT, labelSize: 20,
  grid: { stroke: () => colour("faint"), width: 1 }, ticks: { stroke: () => colour("line"), width: 1, size: 5 },
  ...options,
});

/** Nanoseconds upwards, each tenfold alike. */
const latencyAxis = (label) => axis({
  label, size: 62, gap: 4,
  splits: (chart, index, min, max) => logTicks(min, max),
  filter: (chart, splits) => splits,
  values: (chart, splits) => splits.map(tick),
});

/** Room above and below, limits included. */
const latencyRange = (more) => (chart, min, max) => {
  const values = [min, max, ...more].filter((value) => value > 0);
  return values.length === 0 ? [1, 10] : [Math.min(...values) * 0.8, Math.max(...values) * 1.25];
};

/** A line across a chart with its name. */
const drawRule = (chart, value, text) => {
  const { ctx, bbox } = chart;
  const y = chart.valToPos(value, "y", true);
  if (y < bbox.top || y > bbox.top + bbox.height) {
    return;
  }
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour("bad");
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.font = 12 * devicePixelRatio + "px system-ui, sans-serif";
  ctx.textBaseline = "bottom";
  ctx.textAlign = "left";
  ctx.fillText(text, bbox.left + 6 * devicePixelRatio, y - 3 * devicePixelRatio);
  ctx.restore();
};

// How many responses took how long, and when. A row is a tenth of a tenfold.

const ROWS_PER_DECADE = 10;

const blend = (from, to, share) => {
  const part = (text, at) => parseInt(text.slice(1 + 2 * at, 3 + 2 * at), 16);
  return "rgb(" + [0, 1, 2].map((at) => Math.round(part(from, at) + (part(to, at) - part(from, at)) * share)).join(",") + ")";
};

/** From few to many, evenly in the logarithm. */
const heat = (share) => (share < 0.5
  ? blend(colour("heat-low"), colour("heat-mid"), share * 2)
  : blend(colour("heat-mid"), colour("heat-high"), share * 2 - 1));

const heatOptions = (trial, line) => {
  const columns = trial.heat;
  const rows = columns.filter((column) => column.length > 1);
  const least = Math.min(...rows.map((column) => column[0]));
  const most = Math.max(...rows.map((column) => column[0] + column.length - 1));
  const fullest = Math.max(...rows.flatMap((column) => column.slice(1)));
  return {
    scales: { y: { distr: 3, log: 10, range: () => [10 ** (least / ROWS_PER_DECADE), 10 ** (most / ROWS_PER_DECADE)] } },
    axes: [secondsAxis(), latencyAxis("latency")],
    series: [{}, { stroke: "transparent", points: { show: false } }],
    hooks: { drawAxes: [(chart) => drawHeat(chart, columns, line, fullest)] },
  };
};

const drawHeat = (chart, columns, line, fullest) => {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  columns.forEach((column, at) => {
    const from = chart.valToPos(at === 0 ? Math.max(0, line.end[0] - line.secondsEach) : line.end[at - 1], "x", true);
    const to = chart.valToPos(line.end[at], "x", true);
    column.slice(1).forEach((responses, row) => {
      if (responses > 0) {
        const top = chart.valToPos(10 ** ((column[0] + row + 1) / ROWS_PER_DECADE), "y", true);
        const bottom = chart.valToPos(10 ** ((column[0] + row) / ROWS_PER_DECADE), "y", true);
        ctx.fillStyle = heat(fullest === 1 ? 1 : Math.log(responses) / Math.log(fullest));
        ctx.fillRect(Math.floor(from), Math.floor(top), Math.ceil(to - from), Math.ceil(bottom - top));
      }
    });
  });
  ctx.restore();
};

const heatLegend = () => {
  const steps = [0, 0.25, 0.5, 0.75, 1];
  const blocks = steps.map((step, at) => svg("rect", { x: at * 18, y: 0, width: 18, height: 10 }));
  const paint = () => blocks.forEach((block, at) => block.setAttribute("fill", heat(steps[at])));
  onTheme.push(paint);
  paint();
  return el("p", { class: "hint" }, "one response ", svg("svg", { width: 90, height: 10, "aria-hidden": "true" }, blocks),
    " many, on a logarithmic scale; empty: none.");
};

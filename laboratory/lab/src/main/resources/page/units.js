// Figures as people read them: three digits and a unit.

const digits = (value) => {
  const size = Math.abs(value);
  return size >= 99.95 ? value.toFixed(0) : size >= 9.995 ? value.toFixed(1) : value.toFixed(2);
};

/** Nanoseconds. */
const time = (nanos) => {
  if (nanos === null || nanos === undefined) {
    return "-";
  }
  const units = ["ns", "us", "ms", "s"];
  let value = nanos;
  let unit = 0;
  while (unit < 3 && Math.abs(value) >= 999.5) {
    value /= 1000;
    unit++;
  }
  return (unit === 0 ? String(Math.round(value)) : digits(value)) + " " + units[unit];
};

/** Nanoseconds on an axis: no digits that say nothing. */
const tick = (nanos) => time(nanos).replace(/(\.\d*?)0+ /, "$1 ").replace(/\. /, " ");

const percent = (share) => (share === null || share === undefined ? "-" : (share === 0 ? "0" : digits(share * 100)) + " %");

/** The same on an axis. */
const percentTick = (share) => Number((share * 100).toPrecision(3)) + " %";

const bytes = (value) => {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  let size = value;
  while (unit < 4 && size >= 1024) {
    size /= 1024;
    unit++;
  }
  return (unit === 0 ? String(size) : digits(size)) + " " + units[unit];
};

const count = (value) => Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");

const seconds = (value) => (value >= 100 || Number.isInteger(value) ? Math.round(value) : value.toFixed(1)) + " s";

/** 1 / (1 - p) as a percentile with as many nines as it has. */
const percentile = (point) => {
  const share = 100 - 100 / point;
  const places = Math.max(0, Math.ceil(Math.log10(point) - 2 + 1e-9));
  return (point < 10 ? Number(share.toFixed(1)) : Number(share.toFixed(places + 1))) + " %";
};

/** Numbers on a logarithmic axis: the tens, and where these are few, more. */
const logTicks = (least, most) => {
  const decades = Math.log10(most / least);
  const steps = decades > 4 ? [1] : decades > 1.5 ? [1, 3] : decades > 0.7 ? [1, 2, 3, 5, 7] : [1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];
  const ticks = [];
  for (let power = Math.floor(Math.log10(least)); power <= Math.ceil(Math.log10(most)); power++) {
    for (const step of steps) {
      const value = Number((step * 10 ** power).toPrecision(6));
      if (value >= least * 0.999 && value <= most * 1.001) {
        ticks.push(value);
      }
    }
  }
  return ticks;
};

/** At most this number of ticks, equally far apart. */
const thinned = (ticks, room) => ticks.filter((each, at) => at % Math.ceil(ticks.length / Math.max(1, room)) === 0);

/** Round numbers on an even axis. */
const evenTicks = (least, most, about) => {
  const raw = (most - least) / about || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= raw);
  const ticks = [];
  for (let value = Math.ceil(least / step) * step; value <= most * 1.0001; value += step) {
    ticks.push(Number(value.toPrecision(10)));
  }
  return ticks;
};

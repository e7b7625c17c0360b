package dev.baton.lab.study.soak;

import java.util.List;
import java.util.Objects;

/**
 * The trend of one quantity over a soak. Immutable, thread-safe.
 *
 * @param quantity its name, in words for a person
 * @param unit of its values
 * @param tenths the median of each tenth of the measurement, or each value where there are fewer than ten
 * @param perHour the slope: median of the slopes of all pairs of points
 * @param grown by that slope over the measurement
 * @param allowed growth over a measurement of this length
 * @param chance that a series without a trend grows as steadily, from 0 to 1
 * @param judgement of it
 * @param remark why it is not judged; empty when it is
 */
public record Trend(
        String quantity,
        Unit unit,
        List<Double> tenths,
        double perHour,
        double grown,
        double allowed,
        double chance,
        Judgement judgement,
        String remark) {
    /** The unit of a value. */
    public enum Unit {
        BYTES,
        COUNT,
        NANOS,
        CORES
    }

    /** The judgement of a slope. */
    public enum Judgement {
        /** No growth, or less than is allowed, or chance. */
        STEADY,
        /** More than is allowed, and not by chance. */
        GROWS,
        /** It would grow, but something else explains it as well. */
        DOUBTFUL,
        /** Not measured, or not to be judged here. */
        NOT_JUDGED
    }

    /** Returns the trend with the name of its process. */
    Trend of(String process) {
        return new Trend(process + ": " + quantity, unit, tenths, perHour, grown, allowed, chance, judgement, remark);
    }

    public Trend {
        Objects.requireNonNull(quantity, "quantity");
        tenths = tenths == null ? List.of() : List.copyOf(tenths);
        remark = remark == null ? "" : remark;
    }
}

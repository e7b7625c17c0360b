package dev.baton.lab.page;

import java.util.List;

/**
 * A matrix as a coloured grid. Immutable, thread-safe.
 *
 * @param headings of its columns
 * @param legend what the marks mean and how much is chance
 */
record Grid(List<String> headings, List<Row> rows, List<String> legend) {
    /** One variant. */
    record Row(String name, List<Cell> cells, String verdicts) {}

    /**
     * One figure of a variant.
     *
     * @param range of all its trials; empty when it was measured once
     * @param rank {@code best}, {@code same} as the best as far as this data can tell, {@code worse}, or empty
     * @param times the best one's value; 1 for the best; null when it is not ranked
     */
    record Cell(String median, String range, String rank, Double times, boolean hasFewSamples) {}
}

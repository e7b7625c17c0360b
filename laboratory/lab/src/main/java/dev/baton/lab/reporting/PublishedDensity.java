package dev.baton.lab.reporting;

import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import java.util.List;

/** What others have published about the density of the same chain, to be shown beside and never ranked. Stateless. */
public final class PublishedDensity {
    static final String FILE = "chain-density.csv";
    static final String SOURCE = "\"How to Reduce Cloud Cost by 99% for EDA Kafka Applications\", P. Minborg,"
            + " 2022-03-29: five services, 1,000 msg/s per instance, limit p99.9 < 100 ms; Ryzen 9 5950X, 7 isolated cores,"
            + " 64 GB, OpenJDK 11; Kafka acks=1 with its broker on the same cores; latency from the actual send; CPU"
            + " read by eye";

    private PublishedDensity() {}

    /** Rows of these transports; nothing when none of them is in it. */
    public static List<String> lines(List<String> transports, Paint paint, int width) {
        Table table = new Table(List.of(
                Cell.of("N"), Cell.of("p50"), Cell.of("p99"), Cell.of("p99.9"), Cell.of("CPU"), Cell.of("verdict")));
        boolean isEmpty = true;
        for (String[] row : PublishedFile.rows(FILE)) {
            if (transports.contains(row[0])) {
                isEmpty = false;
                boolean isPass = Boolean.parseBoolean(row[6]);
                table.row(
                        row[0],
                        List.of(
                                Cell.of(row[1]),
                                Cell.of(row[2] + " ms"),
                                Cell.of(row[3] + " ms"),
                                Cell.of(row[4] + " ms"),
                                Cell.of(row[5] + " %"),
                                Cell.of(isPass ? "within" : "beyond")));
            }
        }
        if (isEmpty) {
            return List.of();
        }
        return PublishedFile.lines(table.lines(paint, width), SOURCE, paint, width);
    }
}

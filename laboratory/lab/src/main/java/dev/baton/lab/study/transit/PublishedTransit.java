package dev.baton.lab.study.transit;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** What others have published about one topic between two threads, to be shown beside and never ranked. Stateless. */
public final class PublishedTransit {
    /** That all of it is about. */
    public static final String TRANSPORT = "chronicle";

    public static final String FILE = "transit-jvm.csv";
    public static final String SOURCE = "\"Which JVM Version is Fastest?\", P. Minborg, 2022-05-09: Chronicle Queue in"
            + " shared memory, two pinned threads, messages of 256 bytes at 100,000/s for 100 s; Ryzen 9 5950X, isolated"
            + " cores";

    private PublishedTransit() {}

    /** All rows. */
    static List<String> lines(Paint paint, int width) {
        Table table = new Table(List.of(Cell.of("p50"), Cell.of("p99.99")));
        PublishedFile.rows(FILE)
                .forEach(row ->
                        table.row(TRANSPORT + ", " + row[0] + " " + row[1], List.of(nanos(row[2]), nanos(row[3]))));
        return PublishedFile.lines(table.lines(paint, width), SOURCE, paint, width);
    }

    private static Cell nanos(String figure) {
        return Cell.of(Units.count(Long.parseLong(figure)) + " ns");
    }

    /** The same as series of percentiles. */
    static List<PublishedSeries> series() {
        return PublishedFile.rows(FILE).stream()
                .map(row -> new PublishedSeries(
                        row[0] + " " + row[1] + " elsewhere",
                        List.of(
                                PublishedSeries.point(50, Double.parseDouble(row[2])),
                                PublishedSeries.point(99.99, Double.parseDouble(row[3]))),
                        SOURCE))
                .toList();
    }
}

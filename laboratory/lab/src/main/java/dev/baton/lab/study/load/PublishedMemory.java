package dev.baton.lab.study.load;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.operations.terminal.Cell;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Table;
import dev.baton.operations.terminal.Units;
import java.util.List;

/** What others have published about a service in small memory, beside ours and not ranked. Stateless, thread-safe. */
public final class PublishedMemory {
    public static final String FILE = "small-memory.csv";
    public static final String SOURCE = "\"Cloud Benchmarking JVMs\" and the posts below it, 2018: one REST service on"
            + " Vert.x with Redis behind it, driven by hey with a closed loop for 10 s; i5-5300U laptop";

    private PublishedMemory() {}

    static List<String> lines(Paint paint, int width) {
        Table table = new Table(List.of(
                Cell.of("memory"),
                Cell.of("requests/s"),
                Cell.of("p50"),
                Cell.of("p95"),
                Cell.of("p99"),
                Cell.of("slowest")));
        for (String[] row : PublishedFile.rows(FILE)) {
            table.row(
                    row[0],
                    List.of(
                            Cell.of(row[1].equals("unlimited") ? row[1] : row[1] + " MB"),
                            Cell.of(Units.count(Math.round(Double.parseDouble(row[2])))),
                            Cell.of(row[5] + " ms"),
                            Cell.of(row[8] + " ms"),
                            Cell.of(row[9] + " ms"),
                            Cell.of(row[10] + " ms")));
        }
        return PublishedFile.lines(table.lines(paint, width), SOURCE, paint, width);
    }

    /** The same as series of percentiles. */
    static List<PublishedSeries> series() {
        return PublishedFile.rows(FILE).stream()
                .map(row -> new PublishedSeries(
                        row[0] + ", " + (row[1].equals("unlimited") ? "unlimited" : row[1] + " MB") + " elsewhere",
                        List.of(
                                PublishedSeries.millis(50, row[5]),
                                PublishedSeries.millis(95, row[8]),
                                PublishedSeries.millis(99, row[9])),
                        SOURCE))
                .toList();
    }
}

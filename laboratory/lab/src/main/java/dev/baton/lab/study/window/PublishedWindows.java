package dev.baton.lab.study.window;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import dev.baton.operations.terminal.Paint;
import dev.baton.operations.terminal.Wrapped;
import java.util.ArrayList;
import java.util.List;

/** What others have published about the same sliding window, to be shown beside and never ranked. Stateless. */
public final class PublishedWindows {
    public static final String FILE = "window-gc.csv";
    public static final String SOURCE = "\"The Low-Latency Rematch\" (2020-06-23) and \"Sub-10 ms Latency in Java:"
            + " Concurrent GC with Green Threads\" (2020-08-05), M. Topolnik: window of 10 s by 10 ms, 1 M events/s in"
            + " unless the row says otherwise, limit p99.99 < 10 ms; c5.4xlarge: 16 vCPU, 32 GB; c5.metal: 96 vCPU;"
            + " items are input and output";

    private PublishedWindows() {}

    /** All rows. */
    static List<String> lines(Paint paint, int width) {
        List<String> lines = new ArrayList<>();
        for (String[] row : PublishedFile.rows(FILE)) {
            String figures = (row[6].isEmpty() ? "" : WindowTable.millions(Double.parseDouble(row[6])) + " items/s, ")
                    + "p99.99 " + row[7] + " ms: ";
            lines.addAll(Wrapped.lines(
                    "  ",
                    figures + row[5] + " (" + String.join(", ", row[1], "JDK " + row[2], row[3]) + ", " + row[4]
                            + " threads)",
                    width));
        }
        return PublishedFile.lines(lines, SOURCE, paint, width);
    }

    /** The same as series of percentiles. */
    static List<PublishedSeries> series() {
        return PublishedFile.rows(FILE).stream()
                .map(row -> new PublishedSeries(
                        row[3] + ", " + row[1] + ", " + row[5] + " elsewhere",
                        List.of(PublishedSeries.millis(99.99, row[7])),
                        SOURCE))
                .toList();
    }
}

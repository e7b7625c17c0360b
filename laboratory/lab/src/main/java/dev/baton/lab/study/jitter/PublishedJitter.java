package dev.baton.lab.study.jitter;

import dev.baton.lab.reporting.PublishedFile;
import dev.baton.lab.reporting.PublishedSeries;
import java.util.ArrayList;
import java.util.List;

/** What others have published about the jitter of a JVM, to be shown beside and never ranked. Stateless. */
final class PublishedJitter {
    private static final String SOURCE = "\"Runtime Jitter - Zing vs Hotspot\", 2015-09-07: nanoTime through a"
            + " Disruptor from a producer to an accumulator; tuned Linux";
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 99.99, 99.999, 99.9999};
    private static final int P50 = 4;

    private PublishedJitter() {}

    /** The same as series of percentiles. */
    static List<PublishedSeries> series() {
        return PublishedFile.rows("jitter-jvm.csv").stream()
                .map(row -> {
                    List<List<Double>> points = new ArrayList<>();
                    for (int i = 0; i < PERCENTILES.length; i++) {
                        points.add(PublishedSeries.point(PERCENTILES[i], Double.parseDouble(row[P50 + i])));
                    }
                    return new PublishedSeries(row[0] + ", safepoints " + row[1] + " elsewhere", points, SOURCE);
                })
                .toList();
    }
}

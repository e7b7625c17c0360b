package dev.baton.aeron;

import dev.baton.spi.Frame;
import dev.baton.spi.TopicWriter;
import java.util.Arrays;

/**
 * Prints the time from the flush of one frame until it is stored, in an Archive alone and in one with a standby, in turns: no test, as
 * it depends on the machine. All processes are on this one.
 */
final class StandbyLatency {
    private static final int WARM_UP = 5_000;
    private static final int FRAMES = 20_000;

    private StandbyLatency() {}

    public static void main(String[] arguments) {
        try (StandbyPair pair = StandbyPair.start();
                ArchiveJvm single = ArchiveJvm.start(StandbyPair.TIMEOUT);
                ArchiveTopic one = ArchiveTopic.in(StandbyPair.alone(single), "one");
                ArchiveTopic both = ArchiveTopic.in(pair.options(), "both")) {
            TopicWriter first = one.writer();
            TopicWriter second = both.writer();
            long[] alone = new long[FRAMES];
            long[] copied = new long[FRAMES];
            for (int i = -WARM_UP; i < FRAMES; i++) {
                alone[Math.max(0, i)] = nanos(one, first);
                copied[Math.max(0, i)] = nanos(both, second);
            }
            Arrays.sort(alone);
            Arrays.sort(copied);
            for (int percent : new int[] {10, 50, 90, 99}) {
                int at = FRAMES / 100 * percent;
                System.out.printf(
                        "p%d: one Archive %.1f us, both %.1f us, ratio %.1f%n",
                        percent, alone[at] / 1e3, copied[at] / 1e3, (double) copied[at] / alone[at]);
            }
        }
    }

    private static long nanos(ArchiveTopic topic, TopicWriter writer) {
        while (writer.remainingCapacity() == 0) {
            topic.connection.doWork();
        }
        Frame frame = writer.claim(100);
        frame.stamp(0, 0, writer.sequence() + 1, 0, System.nanoTime());
        writer.commit(100);
        long begun = System.nanoTime();
        writer.flush();
        while (writer.storedSequence() < writer.sequence()) {
            topic.connection.doWork();
            Thread.onSpinWait();
        }
        return System.nanoTime() - begun;
    }
}

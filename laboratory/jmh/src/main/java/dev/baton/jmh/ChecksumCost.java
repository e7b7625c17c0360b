package dev.baton.jmh;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.chronicle.ChronicleTransport;
import dev.baton.run.Idle;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.agrona.IoUtil;
import org.apache.commons.math3.distribution.TDistribution;
import org.apache.commons.math3.stat.StatUtils;

/**
 * The CPU time of a forwarding hop over Chronicle Queue with checksums, over that without: computed once per write, checked once per read.
 *
 * <p>Each JVM runs two chains of five services, on one thread, in alternating blocks whose order is reversed each time, so that
 * disturbances of the host affect both; its figure is the median of the ratios of adjacent blocks. The result is the geometric mean of
 * {@value #FORKS} JVMs for each payload, with the interval of 95 % by Student's distribution. Takes two minutes; nothing else should run
 * beside it. The files, up to 2 GB for each JVM, lie in the directory for temporary files.
 */
public final class ChecksumCost {
    private static final int FORKS = 8;
    private static final List<Integer> PAYLOADS = List.of(256, 1024);
    private static final int SERVICES = 5;
    private static final int MESSAGES = 16;
    private static final int INVOCATIONS = 10;
    private static final long BLOCK_NANOS = 10_000_000;
    private static final int WARMUP_PAIRS = 40;
    private static final int PAIRS = 40;
    private static final double PICOS = 1_000;
    private static final double MILLIONTHS = 1e6;
    private static final double QUANTILE = 0.975; // of an interval of 95 %

    private ChecksumCost() {}

    /** One of the two chains. Confined to one thread. */
    static final class Side implements AutoCloseable {
        private final Loops loops = Loops.manual().idle(Idle.spin());
        private final OwedSource source;
        private final Transport transport;
        private final RunningChain chain;
        private long received;

        Side(Path directory, int payload, boolean hasChecksums) {
            transport = ChronicleTransport.in(directory);
            source = new OwedSource(payload, MESSAGES, (claim, number) -> claim.putLong(0, number));
            Chain.Builder builder = Chain.named("hops");
            for (int i = 1; i <= SERVICES; i++) {
                builder.then("s" + i, () -> (in, out) -> out.forward(in));
            }
            chain = builder.build()
                    .on(transport)
                    .with(loops)
                    .checksums(hasChecksums)
                    .from(source)
                    .onOutput(in -> received++)
                    .start();
        }

        /** Carries 16 messages through six hops. @return the number of all messages that came out */
        long carry() {
            long until = received + MESSAGES;
            source.owe(MESSAGES);
            while (received < until) {
                loops.turn();
            }
            return received;
        }

        /** Returns nanoseconds of CPU time for a hop of one message. */
        private double block() {
            long begin = Fork.cpuNanos();
            long hops = 0;
            long used;
            do {
                for (int i = 0; i < INVOCATIONS; i++) {
                    carry();
                }
                hops += (long) INVOCATIONS * MESSAGES * (SERVICES + 1);
                used = Fork.cpuNanos() - begin;
            } while (used < BLOCK_NANOS);
            return (double) used / hops;
        }

        @Override
        public void close() {
            chain.close();
            loops.close();
            transport.close();
        }
    }

    /**
     * The ratio of JVMs.
     *
     * @param ratio the geometric mean
     * @param least the lower end of its interval of 95 %
     * @param most the upper end
     */
    record Ratio(double ratio, double least, double most) {
        /** Computes the ratio of at least two JVMs from the logarithms of theirs. */
        static Ratio of(double[] logs) {
            double mean = StatUtils.mean(logs);
            double margin = new TDistribution(null, logs.length - 1).inverseCumulativeProbability(QUANTILE)
                    * Math.sqrt(StatUtils.variance(logs) / logs.length);
            return new Ratio(Math.exp(mean), Math.exp(mean - margin), Math.exp(mean + margin));
        }
    }

    /**
     * Measures all payloads; in the JVMs that it starts, one.
     *
     * @param arguments none; the payload in a JVM that was started by this program
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length > 0) {
            if (!arguments[0].matches("[0-9]{1,5}")) {
                System.err.println(
                        "usage: ChecksumCost, without arguments; takes up to five minutes, with nothing beside it");
                System.exit(2);
            }
            measure(Integer.parseInt(arguments[0]));
            return;
        }
        System.out.println(
                "CPU time of a hop over Chronicle Queue with checksums over that without; " + HopRatios.thisHost());
        System.out.printf(
                Locale.ROOT, "%-8s %11s %11s %7s  %s%n", "payload", "without", "with", "ratio", "95 % interval");
        for (int payload : PAYLOADS) {
            double[][] figures = new double[3][FORKS];
            for (int i = 0; i < FORKS; i++) {
                Fork.sync(); // unwritten data of other processes make new pages slower
                long[] found = Fork.run(List.of("-Xms256m", "-Xmx256m"), ChecksumCost.class, payload);
                figures[0][i] = found[0] / PICOS;
                figures[1][i] = found[1] / PICOS;
                figures[2][i] = Math.log(found[2] / MILLIONTHS);
            }
            Ratio ratio = Ratio.of(figures[2]);
            System.out.printf(
                    Locale.ROOT,
                    "%6d B %8.1f ns %8.1f ns %7.3f  %.3f to %.3f%n",
                    payload,
                    StatUtils.geometricMean(figures[0]),
                    StatUtils.geometricMean(figures[1]),
                    ratio.ratio(),
                    ratio.least(),
                    ratio.most());
        }
    }

    /** Prints picoseconds of a hop without checksums and with them, and the ratio in millionths: the medians of the pairs. */
    private static void measure(int payload) throws IOException {
        Path directory = Files.createTempDirectory("baton-checksums-");
        double[] without = new double[PAIRS];
        double[] with = new double[PAIRS];
        double[] ratios = new double[PAIRS];
        try (Side plain = new Side(directory.resolve("without"), payload, false);
                Side checked = new Side(directory.resolve("with"), payload, true)) {
            for (int pair = -WARMUP_PAIRS; pair < PAIRS; pair++) {
                boolean isPlainFirst = pair % 2 == 0;
                double first = (isPlainFirst ? plain : checked).block();
                double second = (isPlainFirst ? checked : plain).block();
                if (pair >= 0) {
                    without[pair] = isPlainFirst ? first : second;
                    with[pair] = isPlainFirst ? second : first;
                    ratios[pair] = with[pair] / without[pair];
                }
            }
        } finally {
            IoUtil.delete(directory.toFile(), true);
        }
        System.out.println(Math.round(PICOS * StatUtils.percentile(without, 50)) + " "
                + Math.round(PICOS * StatUtils.percentile(with, 50)) + " "
                + Math.round(MILLIONTHS * StatUtils.percentile(ratios, 50)));
    }
}

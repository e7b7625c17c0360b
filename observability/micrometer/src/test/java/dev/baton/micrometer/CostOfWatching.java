package dev.baton.micrometer;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Arrays;

/**
 * Measures what watching costs a hop: a chain of three services and an outlet over the Disruptor, turned by one thread, watched
 * and not in turn. Prints the quotient of each pair of neighbours, median and quartiles.
 *
 * <p>Arguments: pairs (60), messages in a batch (16).
 */
public final class CostOfWatching {
    private static final int MESSAGES = 400_000;
    private static final int HOPS = 4;

    private CostOfWatching() {}

    public static void main(String[] arguments) {
        int pairs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 60;
        int batch = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 16;
        BatonMetrics metrics = new BatonMetrics();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops plainLoops = Loops.manual();
                Loops watchedLoops = metrics.add(Loops.manual());
                RunningChain plain = deployment("plain", transport, plainLoops).start();
                RunningChain watched = metrics.start(deployment("watched", transport, watchedLoops))) {
            Inlet one = plain.inlet();
            Inlet other = watched.inlet();
            for (int i = 0; i < 6; i++) {
                nanosPerHop(one, plainLoops, batch);
                nanosPerHop(other, watchedLoops, batch);
            }
            double[] quotients = new double[pairs];
            double[] hops = new double[pairs];
            for (int i = 0; i < pairs; i++) {
                boolean isPlainFirst = i % 2 == 0;
                double first =
                        isPlainFirst ? nanosPerHop(one, plainLoops, batch) : nanosPerHop(other, watchedLoops, batch);
                double second =
                        isPlainFirst ? nanosPerHop(other, watchedLoops, batch) : nanosPerHop(one, plainLoops, batch);
                hops[i] = isPlainFirst ? first : second;
                quotients[i] = isPlainFirst ? second / first : first / second;
                registry.scrape();
            }
            Arrays.sort(quotients);
            Arrays.sort(hops);
            System.out.printf(
                    "batch %d: %.1f ns a hop unwatched; watched costs %+.2f %% (quartiles %+.2f %% to %+.2f %%, %d pairs)%n",
                    batch,
                    hops[pairs / 2],
                    100 * (quotients[pairs / 2] - 1),
                    100 * (quotients[pairs / 4] - 1),
                    100 * (quotients[pairs * 3 / 4] - 1),
                    pairs);
        }
        registry.close();
    }

    private static Deployment deployment(String name, DisruptorTransport transport, Loops loops) {
        return Chain.named(name)
                .then("one", () -> (in, out) -> out.forward(in))
                .then("two", () -> (in, out) -> out.forward(in))
                .then("three", () -> (in, out) -> out.forward(in))
                .build()
                .on(transport)
                .with(loops)
                .onOutput(in -> {});
    }

    private static double nanosPerHop(Inlet inlet, Loops loops, int batch) {
        long begun = System.nanoTime();
        for (int i = 0; i < MESSAGES; i += batch) {
            for (int j = 0; j < batch; j++) {
                Claim claim = inlet.tryClaim(Long.BYTES);
                claim.putLong(0, i).commit(Long.BYTES);
            }
            loops.turn();
        }
        return (double) (System.nanoTime() - begun) / MESSAGES / HOPS;
    }
}

package dev.baton.micrometer;

import dev.baton.Chain;
import dev.baton.Claim;
import dev.baton.Deployment;
import dev.baton.Outlet;
import dev.baton.RunningChain;
import dev.baton.disruptor.DisruptorOptions;
import dev.baton.disruptor.DisruptorTransport;
import dev.baton.run.Loops;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Measures the cost of watching per hop: a source, three services and a sink over the Disruptor on one loop that is always busy, watched
 * and unwatched in turn, in one JVM each. Prints the median of the quotients of neighbouring runs, of CPU time per message, and its
 * interval.
 *
 * <p>Arguments: pairs, messages that the source sends in a sweep, and the variant that is compared with an unwatched chain: {@code all}, or
 * one of {@code loops}, {@code around}, {@code listen}; or {@code traces}: contexts are passed on, and no message has one.
 */
public final class CostOfWatching {
    private static final int HOPS = 4;
    private static final long WARM_UP_NANOS = 2_000_000_000L;
    private static final long MEASURED_NANOS = 2_000_000_000L;

    private CostOfWatching() {}

    public static void main(String[] arguments) throws Exception {
        int pairs = Integer.parseInt(arguments[0]);
        int batch = Integer.parseInt(arguments[1]);
        if (pairs == 0) {
            System.out.println(nanosPerHop(batch, arguments[2]));
            return;
        }
        double[] plain = new double[pairs];
        double[] quotients = new double[pairs];
        for (int i = 0; i < pairs; i++) {
            boolean isPlainFirst = i % 2 == 0;
            double first = inOwnJvm(batch, isPlainFirst ? "none" : arguments[2]);
            double second = inOwnJvm(batch, isPlainFirst ? arguments[2] : "none");
            plain[i] = isPlainFirst ? first : second;
            quotients[i] = 100 * ((isPlainFirst ? second / first : first / second) - 1);
        }
        Arrays.sort(plain);
        Arrays.sort(quotients);
        int outside = (int) Math.max(0, Math.floor((pairs - 1.96 * Math.sqrt(pairs)) / 2)); // by order statistics
        System.out.printf(
                "%s, %d messages a sweep: %.1f ns a hop unwatched, watched %+.1f %%"
                        + " (95 %% interval of the median %+.1f %% to %+.1f %%, %d pairs)%n",
                arguments[2],
                batch,
                plain[pairs / 2],
                median(quotients),
                quotients[outside],
                quotients[pairs - 1 - outside],
                pairs);
    }

    private static double median(double[] sorted) {
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    private static double inOwnJvm(int batch, String watching) throws IOException, InterruptedException {
        Process child = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        CostOfWatching.class.getName(),
                        "0",
                        Integer.toString(batch),
                        watching)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        child.waitFor();
        return Double.parseDouble(out.trim());
    }

    private static double nanosPerHop(int batch, String watching) throws InterruptedException {
        BatonMetrics metrics = new BatonMetrics();
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        boolean isAll = watching.equals("all");
        long[] loop = new long[1]; // id of its thread
        try (DisruptorTransport transport = DisruptorTransport.create(DisruptorOptions.defaults());
                Loops loops = Loops.cooperative(1)) {
            Deployment deployment = Chain.named("cost")
                    .then("one", () -> (in, out) -> out.forward(in))
                    .then("two", () -> (in, out) -> out.forward(in))
                    .then("three", () -> (in, out) -> out.forward(in))
                    .build()
                    .on(transport)
                    .with(loops)
                    .from(out -> {
                        loop[0] = Thread.currentThread().getId();
                        return send(out, batch);
                    })
                    .onOutput(in -> {});
            if (isAll || watching.equals("loops")) {
                metrics.add(loops);
            }
            if (watching.equals("around")) {
                Registries registries = new Registries();
                registries.bind(registry);
                deployment.around((context, next) -> new SampledHandler(
                        new PartTimers(registries, io.micrometer.core.instrument.Tags.of("s", context.service())),
                        next));
            } else if (watching.equals("listen")) {
                deployment.listen(new Events().watch());
            } else if (watching.equals("traces")) {
                deployment.traceContext(true).around((context, next) -> (in, out) -> {
                    if (in.trace() != null) {
                        throw new IllegalStateException("no message has a trace");
                    }
                    next.onMessage(in, out);
                });
            }
            try (RunningChain running = isAll ? metrics.start(deployment) : deployment.start()) {
                Thread.sleep(WARM_UP_NANOS / 1_000_000);
                ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                long messages = running.status().parts().get(1).input().consumed();
                long cpu = threads.getThreadCpuTime(loop[0]);
                Thread.sleep(MEASURED_NANOS / 2_000_000);
                registry.scrape();
                Thread.sleep(MEASURED_NANOS / 2_000_000);
                registry.scrape();
                messages = running.status().parts().get(1).input().consumed() - messages;
                cpu = threads.getThreadCpuTime(loop[0]) - cpu;
                return (double) cpu / messages / HOPS;
            }
        } finally {
            registry.close();
        }
    }

    private static int send(Outlet out, int batch) {
        int sent = 0;
        while (sent < batch) {
            Claim claim = out.claim(Long.BYTES);
            if (claim == null) {
                break;
            }
            claim.putLong(0, sent).commit(Long.BYTES);
            sent++;
        }
        return sent;
    }
}

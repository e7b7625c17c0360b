package dev.baton.examples;

import dev.baton.Chain;
import dev.baton.Inlet;
import dev.baton.RunningChain;
import dev.baton.Service;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Three services, each in a separate process; one of them is killed meanwhile and started again, and every number still comes out once and
 * in order.
 *
 * <p>Arguments as for the first example, over a transport that crosses processes: {@code chronicle} (the default here) or {@code kafka}.
 */
public final class Example05OneProcessPerService {
    private static final int NUMBERS = 3_000;
    private static final long WAIT_SECONDS = 30;
    private static final String CHILD = "--run";

    // Every process has the same plan of the chain, and runs its own part of it.
    static final Chain CHAIN = Chain.named("sums")
            .then("double", () -> number(n -> n * 2))
            .then("negate", () -> number(n -> -n))
            .then("add-one", () -> number(n -> n + 1))
            .build();

    private interface Sum {
        long of(long number);
    }

    private Example05OneProcessPerService() {}

    /** Runs the example, or as {@code --run SERVICE TRANSPORT key=value ...} one of its services. */
    public static void main(String[] args) throws Exception {
        if (args.length > 0 && args[0].equals(CHILD)) {
            runService(args[1], List.of(args).subList(2, args.length).toArray(String[]::new));
        } else {
            runExample(args.length == 0 ? new String[] {"chronicle"} : args);
        }
    }

    private static void runExample(String[] args) throws Exception {
        Map<String, Process> services = new LinkedHashMap<>();
        BlockingQueue<Long> out = new LinkedBlockingQueue<>();
        try (ExampleTransport opened = ExampleTransport.of(args);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1);
                RunningChain ends = CHAIN.on(transport) // no service here: the inlet and the sink
                        .only()
                        .with(loops)
                        .onOutput(in -> out.add(in.getLong(0)))
                        .start()) {
            try {
                for (String service : CHAIN.services()) {
                    services.put(service, start(service, opened.arguments()));
                }
                Inlet inlet = ends.inlet();
                for (long n = 1; n <= NUMBERS; n++) {
                    inlet.send(bytes(n)); // waits while there is no room, ten seconds at most
                    if (n == NUMBERS / 2) {
                        services.get("negate").destroyForcibly().waitFor(); // as kill -9 does
                        services.put("negate", start("negate", opened.arguments()));
                    }
                }
                for (long n = 1; n <= NUMBERS; n++) {
                    Long sum = out.poll(WAIT_SECONDS, TimeUnit.SECONDS);
                    if (sum == null || sum != -2 * n + 1) {
                        throw new IllegalStateException(sum + " came out where " + (-2 * n + 1) + " was due");
                    }
                }
                System.out.printf(
                        "%,d numbers through %d processes over %s, one of them killed under way:"
                                + " each came out once, in order%n",
                        NUMBERS, services.size(), transport.name());
            } finally {
                for (Process service : services.values()) {
                    service.destroy(); // SIGTERM: closes its chain, see runService
                    if (!service.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
                        service.destroyForcibly();
                    }
                }
            }
        }
    }

    /** Runs the part of a service's process until it is stopped. */
    private static void runService(String service, String[] args) throws Exception {
        ExampleTransport opened = ExampleTransport.of(args);
        Loops loops = Loops.cooperative(1);
        RunningChain part =
                CHAIN.on(opened.transport()).only(service).with(loops).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (!part.close(RunningChain.CLOSE_LIMIT)) {
                System.err.println(service + " ended with in-flight messages, which remain in their topics");
            }
            loops.close();
            opened.transport().close();
        }));
        while (System.in.read() >= 0) {
            // until the process that started it has ended
        }
    }

    private static Process start(String service, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(Example05OneProcessPerService.class.getName(), CHILD, service));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectOutput(Redirect.INHERIT)
                .redirectError(Redirect.INHERIT)
                .start();
    }

    private static byte[] bytes(long number) {
        return ByteBuffer.allocate(Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
    }

    private static Service number(Sum sum) {
        return (in, out) ->
                out.claim(Long.BYTES).putLong(0, sum.of(in.getLong(0))).commit(Long.BYTES);
    }
}

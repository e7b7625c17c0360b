package dev.baton.examples;

import dev.baton.examples.gateway.HttpGateway;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.net.BindException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP server before a chain of five services: a request passes the chain and comes back. Runs until Ctrl-C.
 *
 * <p>Arguments: {@code disruptor}, {@code chronicle} or {@code kafka}, then a port (default 8080, 0 for a free one), then options as {@code
 * key=value}.
 */
public final class Example03HttpGateway {
    private static final int DEFAULT_PORT = 8080;
    private static final int MOST_PORT = 65_535;
    private static final int SERVICES = 5;
    private static final int MOST_IN_FLIGHT = 256;
    private static final int CLOSE_SECONDS = 20;

    private Example03HttpGateway() {}

    /** Runs the example. */
    public static void main(String[] args) throws Exception {
        List<String> others = new ArrayList<>(Arrays.asList(args));
        int port = DEFAULT_PORT;
        if (others.size() > 1 && others.get(1).matches("\\d{1,9}")) {
            port = Integer.parseInt(others.remove(1));
        }
        if (port > MOST_PORT) {
            end(2, "port " + port + " is out of range; 0 to " + MOST_PORT);
        }
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stopAndWait(stop, closed), "gateway-end"));
        String complaint = null;
        try {
            run(port, others.toArray(String[]::new), stop);
        } catch (BindException unusable) {
            complaint = HttpGateway.complaint(port, unusable);
        } finally {
            closed.countDown();
        }
        if (complaint != null) {
            end(3, complaint);
        }
    }

    private static void run(int port, String[] transportAndOptions, CountDownLatch stop) throws Exception {
        try (ExampleTransport opened = ExampleTransport.of(transportAndOptions);
                Transport transport = opened.transport();
                Loops loops = Loops.cooperative(1);
                HttpGateway gateway = HttpGateway.open(transport, loops, "gateway", SERVICES, port, MOST_IN_FLIGHT)) {
            System.out.println(gateway.uri() + " returns each request, after " + SERVICES + " services over "
                    + transport.name() + "; bodies of up to " + gateway.mostBody() + " bytes, " + MOST_IN_FLIGHT
                    + " requests in flight");
            System.out.println("  curl -d hello " + gateway.uri());
            System.out.println("  hey -z 10s -c 50 -m POST -d hello " + gateway.uri());
            System.out.println("  ./baton load --url " + gateway.uri());
            System.out.println("Ctrl-C ends it.");
            stop.await();
        }
    }

    private static void stopAndWait(CountDownLatch stop, CountDownLatch closed) {
        stop.countDown();
        try {
            closed.await(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void end(int status, String line) {
        System.err.println("Example03HttpGateway: " + line);
        System.exit(status);
    }
}

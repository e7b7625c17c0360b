package dev.baton.lab;

import dev.baton.Chain;
import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import dev.baton.chains.ChainProvider;
import dev.baton.chains.ProvidedChain;
import dev.baton.chains.ProvidedChain.MessageGenerator;
import dev.baton.chains.ProvidedChain.OutputCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The chain {@code leaking}, whose first service forwards, and takes more and more of the resource that its option {@code
 * leak} names until its JVM ends. The option {@code data} names the directory that contains the queues. Thread-safe.
 */
public final class LeakingProvider implements ChainProvider {
    private enum Leak {
        HEAP(10),
        DIRECT(100),
        DESCRIPTOR(1),
        THREAD(1),
        DISK(100);

        private final double perSecond;

        Leak(double perSecond) {
            this.perSecond = perSecond;
        }
    }

    @Override
    public String name() {
        return "leaking";
    }

    @Override
    public String summary() {
        return "a service takes more and more of a resource";
    }

    @Override
    public ProvidedChain open(Map<String, String> options) {
        Leak leak = Leak.valueOf(options.get("leak").toUpperCase(Locale.ROOT));
        return new Leaking(leak, Path.of(options.get("data")));
    }

    private record Leaking(Leak leak, Path data) implements ProvidedChain {
        @Override
        public Chain chain() {
            return Chain.named("leaking")
                    .then("leaks", () -> new LeakingService(leak, data))
                    .then("forwards", () -> (in, out) -> out.forward(in))
                    .build();
        }

        @Override
        public int maxPayload() {
            return Long.BYTES;
        }

        @Override
        public MessageGenerator generator(long seed, int instance) {
            return (number, into) -> {
                into.putLong(0, number);
                return Long.BYTES;
            };
        }

        @Override
        public OutputCheck check(long seed, int instance) {
            return (number, index, output) -> output.getLong(0) == number ? null : "another number";
        }
    }

    private static final class LeakingService implements Service {
        private static final int CHUNK_BYTES = 10_000;

        private final Leak leak;
        private final Path data;
        private final List<Object> held = new ArrayList<>();
        private OutputStream file; // null until the first bytes
        private long startNanos;
        private long taken;

        LeakingService(Leak leak, Path data) {
            this.leak = leak;
            this.data = data;
        }

        @Override
        public void onMessage(Message in, Outlet out) throws IOException {
            long now = System.nanoTime();
            startNanos = startNanos == 0 ? now : startNanos;
            for (; taken < (now - startNanos) / 1e9 * leak.perSecond; taken++) {
                take();
            }
            out.forward(in);
        }

        private void take() throws IOException {
            switch (leak) {
                case HEAP -> held.add(new byte[CHUNK_BYTES]);
                case DIRECT -> held.add(ByteBuffer.allocateDirect(CHUNK_BYTES).put(0, (byte) 1));
                case DESCRIPTOR -> held.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
                case THREAD -> startThread();
                case DISK -> grow();
            }
        }

        private static void startThread() {
            Thread thread = new Thread(
                    () -> {
                        while (!Thread.interrupted()) {
                            LockSupport.park();
                        }
                    },
                    "planted-leak");
            thread.setDaemon(true);
            thread.start();
        }

        private void grow() throws IOException {
            if (file == null) {
                file = Files.newOutputStream(queues().resolve("planted-leak"));
            }
            file.write(new byte[CHUNK_BYTES]);
        }

        private Path queues() throws IOException {
            try (Stream<Path> all = Files.walk(data)) {
                return all.filter(path -> path.endsWith("queues")).findFirst().orElseThrow();
            }
        }
    }
}

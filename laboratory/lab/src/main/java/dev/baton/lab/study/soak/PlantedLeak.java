package dev.baton.lab.study.soak;

import dev.baton.Message;
import dev.baton.Outlet;
import dev.baton.Service;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Phaser;
import org.agrona.CloseHelper;

/**
 * A service that forwards, and takes more and more of something for as long as messages come. Confined to its loop, but
 * for {@link #close}, which comes after the loop's end and gives all back.
 */
final class PlantedLeak implements Service, AutoCloseable {
    private static final double SECOND = 1e9;
    private static final int CHUNK_BYTES = 10_000;
    private static final double HEAP_CHUNKS_PER_SECOND = 10;
    private static final double OTHER_CHUNKS_PER_SECOND = 100;
    private static final String FILE = "planted-leak";

    private final Leak leak;
    private final Path directory;
    private final List<Object> held = new ArrayList<>();
    private final Phaser closed = new Phaser(1); // in phase 0 until then
    private final double perSecond;
    private OutputStream file; // null until the first bytes
    private long startNanos;
    private long taken;

    /**
     * Creates a leak.
     *
     * @param directory of the queues; null for none
     */
    PlantedLeak(Leak leak, Path directory) {
        this.leak = leak;
        this.directory = directory;
        perSecond = switch (leak) {
            case HEAP -> HEAP_CHUNKS_PER_SECOND;
            case DIRECT, DISK -> OTHER_CHUNKS_PER_SECOND;
            case DESCRIPTOR, THREAD -> 1;
        };
    }

    @Override
    public void onMessage(Message in, Outlet out) throws IOException {
        long now = System.nanoTime();
        if (startNanos == 0) {
            startNanos = now;
        }
        for (; taken < (now - startNanos) / SECOND * perSecond; taken++) {
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

    private void startThread() {
        Thread thread = new Thread(() -> closed.awaitAdvance(0), "baton-lab-planted");
        thread.setDaemon(true);
        thread.start();
    }

    private void grow() throws IOException {
        if (file == null) {
            Path path = directory.resolve(FILE);
            file = Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            Closeable removal = () -> {
                file.close();
                Files.deleteIfExists(path);
            };
            held.add(removal);
        }
        file.write(new byte[CHUNK_BYTES]);
    }

    @Override
    public void close() {
        closed.arrive();
        for (Object each : held) {
            if (each instanceof Closeable open) {
                CloseHelper.quietClose(open); // what is left is space in a directory that is removed as a whole
            }
        }
        held.clear();
    }
}

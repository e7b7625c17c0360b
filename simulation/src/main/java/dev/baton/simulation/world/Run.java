package dev.baton.simulation.world;

import dev.baton.Message;
import dev.baton.simulation.plan.Setting;
import dev.baton.simulation.time.SimProcess;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One start of the chain in a process, in the account. Single-threaded. */
final class Run {
    private static final int KEYS = 3;

    final SimProcess process;
    final List<CompletableFuture<?>> stages = new ArrayList<>(); // of asynchronous services
    final List<Long> sent = new ArrayList<>(); // payloads that the chain has taken over
    boolean hasFailed;
    boolean mayFail; // a service threw more often than is retried
    int throwsInRow; // of the callback that threw last, on one message
    boolean isClosed;
    long lastDelivered; // sequence that the sink's handler got last, 0: none yet

    private final boolean isKeyed;
    private final Map<String, Long> newest = new HashMap<>(); // input of each service and key that was called last

    Run(SimProcess process, Setting setting) {
        this.process = process;
        this.isKeyed = setting.isKeyed() || setting.asks;
    }

    /** Returns the key of a payload; null for none. */
    ByteBuffer key(long payload) {
        return isKeyed ? keyOf(payload) : null;
    }

    static ByteBuffer keyOf(long payload) {
        return ByteBuffer.wrap(new byte[] {(byte) Math.floorMod(payload, KEYS)});
    }

    /** Records the call of a service, and returns whether it is not called for an earlier input of the same key than before. */
    boolean isInOrder(int service, Message in) {
        String key = service + " of " + in.topic() + " for "
                + (in.key() == null ? "" : in.key().get(in.key().position()));
        return newest.merge(key, in.sequence(), Math::max) == in.sequence();
    }
}

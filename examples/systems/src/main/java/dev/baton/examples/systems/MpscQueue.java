package dev.baton.examples.systems;

import dev.baton.measuring.system.SystemUnderTest;
import java.util.Map;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpscArrayQueue;

/** A queue of JCTools between the thread that sends and one that spins. Thread-safe. */
public final class MpscQueue implements SystemUnderTest {
    @Override
    public Description describe() {
        return new Description(
                "jctools-mpsc",
                "JCTools MpscArrayQueue; its consumer spins",
                Map.of("capacity", "1024"),
                Map.of("durability", "memory"));
    }

    @Override
    public Instance open(Setting setting, Receiver receiver) {
        var queue =
                new MpscArrayQueue<byte[]>(Integer.parseInt(setting.options().get("capacity")));
        MessagePassingQueue.Consumer<byte[]> toReceiver =
                receiver::onMessage; // once: a spinning poll would allocate it
        return new Instance() {
            @Override
            public boolean trySend(byte[] message) {
                return queue.offer(message.clone());
            }

            @Override
            public void poll() {
                if (queue.drain(toReceiver, 64) == 0) {
                    Thread.onSpinWait();
                }
            }
        };
    }
}

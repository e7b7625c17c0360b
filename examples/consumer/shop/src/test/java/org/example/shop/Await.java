package org.example.shop;

import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for the effects of other threads. */
final class Await {
    private Await() {}

    static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                fail("did not happen within 20 seconds");
            }
            Thread.sleep(1);
        }
    }
}

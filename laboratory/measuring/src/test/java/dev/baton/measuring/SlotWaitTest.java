package dev.baton.measuring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.machine.KernelThread;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class SlotWaitTest {
    @Test
    void nearSlotsAreNeverLeftEarly() {
        for (long ahead = 0; ahead <= 2 * SlotWait.SPIN_NANOS; ahead += SlotWait.SPIN_NANOS / 4) {
            long slot = System.nanoTime() + ahead;
            SlotWait.until(slot);
            if (ahead <= SlotWait.SPIN_NANOS) {
                assertThat(System.nanoTime() - slot).isNotNegative();
            }
        }
    }

    @Test
    void passedSlotsAreNotWaitedFor() {
        long before = System.nanoTime();
        SlotWait.until(before - 1_000_000_000);
        assertThat(System.nanoTime() - before).isLessThan(1_000_000_000);
    }

    @Test
    void farSlotsAreReturnedFromEarly() {
        long slot = System.nanoTime() + 3_600_000_000_000L;
        SlotWait.until(slot);
        assertThat(slot - System.nanoTime()).isPositive();
    }

    @Test
    void onlyNearSlotPrecedesWaitForRoom() {
        long near = System.nanoTime() + SlotWait.SPIN_NANOS;
        assertThat(SlotWait.whileBlind(near)).isEqualTo(near);
        assertThat(SlotWait.whileBlind(near + 3_600_000_000_000L)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theSlackOfOneThreadIsShortened() throws Exception {
        String[] slack = new String[1];
        Thread thread = new Thread(() -> {
            boolean isTaken = KernelThread.shortenTimerSlack();
            try {
                slack[0] = isTaken
                        ? Files.readString(Path.of("/proc", "" + KernelThread.number(), "timerslack_ns"))
                        : "refused";
            } catch (java.io.IOException unreadable) {
                slack[0] = unreadable.toString();
            }
        });
        thread.start();
        thread.join();

        assertThat(slack[0].trim()).isIn("1", "refused"); // some containers hide the file
        assertThat(KernelThread.number()).isPositive();
    }
}

package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.baton.measuring.machine.Evidence.Compilation;
import dev.baton.measuring.machine.Evidence.Slice;
import dev.baton.measuring.machine.OtherTasks.Group;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CoreWatchTest {
    @TempDir
    private Path directory;

    @Test
    void watchRecordsStopsCompilersAndThread() throws Exception {
        assumeThat(KernelThread.number()).as("a Linux").isPositive();
        Evidence evidence = watched(200_000_000);
        assertThat(evidence.absent()).isEmpty();
        assertThat(evidence.stops()).anySatisfy(stop -> {
            assertThat(stop.collectionNanos()).isPositive();
            assertThat(stop.nanos()).isGreaterThanOrEqualTo(stop.reachingNanos());
            assertThat(stop.startNanos() - evidence.startNanos()).isPositive();
            assertThat(evidence.endNanos() - stop.endNanos()).isPositive();
        });
        assertThat(evidence.slices()).isNotEmpty();
        long ran = evidence.slices().stream()
                .mapToLong(slice -> slice.watched().get(0).ranNanos())
                .sum();
        long waited = evidence.slices().stream()
                .mapToLong(slice -> slice.watched().get(0).waitedNanos())
                .sum();
        long watched = evidence.slices().stream()
                .mapToLong(slice -> slice.endNanos() - slice.startNanos())
                .sum();
        assertThat(ran).isPositive();
        assertThat(ran + waited).isLessThan(2 * watched);
        assertThat(evidence.slices())
                .extracting(slice -> slice.watched().get(0).core())
                .allMatch(core -> core >= 0);
        for (int i = 1; i < evidence.slices().size(); i++) {
            Slice before = evidence.slices().get(i - 1);
            assertThat(evidence.slices().get(i).startNanos()).isEqualTo(before.endNanos());
        }
        assertThat(evidence.cores()).hasSameSizeAs(Cores.ofThisThread());
        assertThat(evidence.cores()).allSatisfy(core -> assertThat(core.count()).isPositive());
        assertThat(evidence.cpuCores()).isPositive();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("baton-lab-cpu")
                        || thread.getName().equals("baton-lab-cores")));
    }

    /** Watches this thread for a while, and longer where a busy machine gave the watch no core. */
    private static Evidence watched(long nanos) throws Exception {
        Evidence evidence;
        try (CoreWatch watch = CoreWatch.start(List.of(KernelThread.number()))) {
            System.gc();
            long until = System.nanoTime() + nanos;
            while (System.nanoTime() - until < 0) {
                Thread.onSpinWait();
            }
            evidence = watch.stop();
        }
        return evidence.slices().isEmpty() && nanos < 5_000_000_000L ? watched(2 * nanos) : evidence;
    }

    @Test
    void threadIsPinnedToRequestedCore() throws Exception {
        assumeThat(KernelThread.number()).as("a Linux").isPositive();
        int core = Cores.ofThisThread()[Cores.ofThisThread().length - 1];
        AtomicReference<Object> seen = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                Cores.pinThisThread(core);
                seen.set(List.of(Cores.ofThisThread()[0], Cores.ofThisThread().length));
            } catch (RuntimeException refused) {
                seen.set(refused);
            }
        });
        thread.start();
        thread.join(10_000);
        assertThat(seen.get()).isEqualTo(List.of(core, 1));
    }

    @Test
    void compilationsOfSeveralVersionsAreParsed() {
        assertThat(Evidence.Compilation.parse(List.of(
                        "[24697966774294ns] 1375       2       javax.management.Immutable::field (87 bytes)",
                        "[24697966797549ns] 1379     n 0       java.lang.System::nanoTime (native)   (static)",
                        "[24697969383951ns] 1383   !   4       java.lang.String::<init> (15 bytes)",
                        "[24697969383952ns] 1384 % s  4       a.B$$Lambda$119/0x00007f9344106b10::onEvent @ 8 (15 bytes)",
                        "[24697969026104ns] 1381       2       java.lang.Long::getChars (208 bytes)   made not entrant",
                        "[24702450524433ns] 1715       4       a.B::c (354 bytes)   made not entrant: not used",
                        "[24702450524433ns] GC(1) Pause Young (Normal) 3M->2M(4M) 1.000ms",
                        "[24702450524434ns] Safepoint \"Cleanup\", Time since last: 1 ns")))
                .containsExactly(
                        new Compilation(24697966774294L, 2, "javax.management.Immutable::field", false),
                        new Compilation(24697969383951L, 4, "java.lang.String::<init>", false),
                        new Compilation(24697969383952L, 4, "a.B$$Lambda$119/0x00007f9344106b10::onEvent", false),
                        new Compilation(24697969026104L, 2, "java.lang.Long::getChars", true),
                        new Compilation(24702450524433L, 4, "a.B::c", true));
    }

    @Test
    void jvmThreadsAreIdentifiedByName() {
        assertThat(Group.of("C2 CompilerThre")).isEqualTo(Group.COMPILERS);
        assertThat(Group.of("C1 CompilerThre")).isEqualTo(Group.COMPILERS);
        assertThat(Group.of("GC Thread#0")).isEqualTo(Group.COLLECTORS);
        assertThat(Group.of("G1 Conc#0")).isEqualTo(Group.COLLECTORS);
        assertThat(Group.of("ZWorkerYoung#0")).isEqualTo(Group.COLLECTORS);
        assertThat(Group.of("baton-lab-cores")).isEqualTo(Group.REST);
    }

    @Test
    void numbersAreReadInPlaceAndAgain() throws IOException {
        Path path = Files.writeString(directory.resolve("stat"), "12 (a) b) R 7 -1\ncpu0 1 22\ncpu1 3");
        try (KernelFile file = KernelFile.open(path, 100)) {
            assertThat(file.read()).isTrue();
            assertThat(file.number(0, 0)).isEqualTo(12);
            assertThat(file.number(0, 99)).as("no such word").isEqualTo(-1);
            assertThat(file.number(file.behindLast(')'), 1)).isEqualTo(7);
            assertThat(file.behindLast('?')).isZero();
            int second = file.nextLine(0);
            assertThat(file.has(second, "cpu0")).isTrue();
            assertThat(file.number(second, 2)).isEqualTo(22);
            int third = file.nextLine(second);
            assertThat(file.number(third, 1)).isEqualTo(3);
            assertThat(file.nextLine(third)).isEqualTo(-1);
            Files.writeString(path, "13 ");
            assertThat(file.read()).isTrue();
            assertThat(file.number(0, 0)).isEqualTo(13);
        }
        assertThat(KernelFile.open(directory.resolve("none"), 10)).isNull();
        assertThat(TaskCounters.of(Long.MAX_VALUE, true)).isNull();
    }

    @Test
    void missingFlagHasNoValue() {
        assertThat(VmFlag.named("NoSuchFlag")).isNull();
        assertThat(VmFlag.named("MaxHeapSize").value()).matches("\\d+");
    }
}

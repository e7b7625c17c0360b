package dev.baton.measuring.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.measuring.machine.OtherTasks.Group;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GcThreadsTest {
    @TempDir
    Path process;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GC Thread#0",
                "G1 Conc#0",
                "G1 Service",
                "ZDirector",
                "ZDriver",
                "ZDriverMinor",
                "ZStat",
                "ZUncommitter",
                "ZUnmapper",
                "ZWorker#0",
                "ZWorkerYoung#0",
                "XDirector",
                "XWorker#0",
                "Shenandoah GC T"
            })
    void collectorThreadsCountInEveryFigure(String name) throws Exception {
        Path thread = Files.createDirectories(process.resolve("task/7"));
        Files.writeString(thread.resolve("comm"), name + "\n");
        Files.writeString(thread.resolve("schedstat"), "1234 0 1\n");
        assertThat(Group.of(name)).isEqualTo(Group.COLLECTORS);
        assertThat(ProcessUse.read(new KernelTree(process), null).gcCpuNanos()).isEqualTo(1234);
    }

    @ParameterizedTest
    @ValueSource(strings = {"main", "Zookeeper", "XNIO-1 task-1", "C2 CompilerThre"})
    void anotherThreadIsNone(String name) {
        assertThat(Group.of(name)).isNotEqualTo(Group.COLLECTORS);
    }

    @Test
    void vmThreadCountsForSerialCollector() throws Exception {
        Path thread = Files.createDirectories(process.resolve("task/7"));
        Files.writeString(thread.resolve("comm"), "VM Thread\n");
        Files.writeString(thread.resolve("schedstat"), "1234 0 1\n");
        assertThat(Group.of("VM Thread")).isEqualTo(Group.REST);
        assertThat(ProcessUse.read(new KernelTree(process), null).gcCpuNanos()).isEqualTo(1234);
    }
}

package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** JVMs as they are found and asked. */
class JvmProbeTest {
    private static final Path OURS = Path.of(System.getProperty("java.home"));

    @TempDir
    private Path directory;

    @Test
    void aHomeAndItsJavaAreTheSameJvm() {
        FoundJvm byHome = JvmProbe.at(OURS);
        assertThat(byHome).isEqualTo(JvmProbe.at(OURS.resolve("bin").resolve("java")));
        assertThat(byHome.jvm().feature()).isEqualTo(Runtime.version().feature());
        assertThat(byHome.version()).isEqualTo(System.getProperty("java.version"));
        assertThat(byHome.name()).isEqualTo(System.getProperty("java.vm.name"));
    }

    @Test
    void whatIsNoJvmIsRefused() {
        assertThatThrownBy(() -> JvmProbe.at(directory))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining(
                        "--jvm " + directory + " is no JVM: there is no " + directory.resolve("bin/java"));
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aProgramThatIsNoJavaIsRefused() throws IOException {
        assertThatThrownBy(() -> JvmProbe.at(script("#!/bin/sh\necho hello\n")))
                .isInstanceOf(Refusal.class)
                .hasMessageContaining("it said 'hello'");
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void aJvmThatIsTooOldIsRefusedWithItsVersion() throws IOException {
        Path old = script("#!/bin/sh\necho '    java.version = 1.8.0_412' >&2\necho '    java.home = /old' >&2\n");
        assertThatThrownBy(() -> JvmProbe.at(old))
                .isInstanceOf(Refusal.class)
                .hasMessageEndingWith("is version 1.8.0_412; 17 or later is needed");
    }

    private Path script(String text) throws IOException {
        Path script = Files.writeString(directory.resolve("java"), text);
        return Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
    }

    @Test
    void aJvmSaysItselfWhyItDoesNotStart() {
        assertThat(JvmProbe.complaint(choice(Collector.SERIAL, "64m"))).isNull();
        assertThat(JvmProbe.complaint(choice(null, "64m", "-XX:+NoSuchFlag"))).contains("NoSuchFlag");
        assertThat(JvmProbe.complaint(choice(null, "1k"))).contains("Too small maximum heap");
    }

    @Test
    void aCollectorThatNoJvmOfAVersionHasIsRefusedWithoutAskingIt() {
        Jvm old = new Jvm(directory.resolve("none"), 17);
        assertThat(JvmProbe.complaint(new JvmChoice(old, Collector.GEN_ZGC, null, List.of())))
                .isEqualTo("ZGC has generations from JDK 21 on, this is JDK 17");
        assertThat(JvmProbe.complaint(new JvmChoice(old, Collector.GEN_SHENANDOAH, null, List.of())))
                .isEqualTo("Shenandoah has generations from JDK 25 on, this is JDK 17");
    }

    @Test
    void flagsOfACollectorFollowTheVersion() {
        assertThat(Collector.GEN_ZGC.flags(21)).containsExactly("-XX:+UseZGC", "-XX:+ZGenerational");
        assertThat(Collector.GEN_ZGC.flags(25)).containsExactly("-XX:+UseZGC");
        assertThat(Collector.named("gen-shenandoah")).isEqualTo(Collector.GEN_SHENANDOAH);
        assertThatThrownBy(() -> Collector.named("cms"))
                .isInstanceOf(Refusal.class)
                .hasMessageStartingWith("unknown collector 'cms'; known: serial, parallel, g1, zgc, gen-zgc");
    }

    @Test
    void everyJvmIsFoundOnceWhateverItsLinks() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("default"), OURS);
        assertThat(JvmSearch.among(List.of(OURS, link, directory, directory.resolve("none"))))
                .hasSize(1);
        assertThat(JvmSearch.everywhere()).extracting(FoundJvm::home).contains(OURS.toRealPath());
    }

    private static JvmChoice choice(Collector collector, String heap, String... further) {
        return new JvmChoice(Jvm.current(), collector, heap, List.of(further));
    }
}

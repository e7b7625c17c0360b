package dev.baton.lab.launch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A JVM that is older, as a script that answers for it. */
class OlderJarTest {
    private static final String HOME = "baton.home";

    @TempDir
    private Path home;

    private String before;
    private Path java;
    private Path jar;

    @BeforeEach
    void pretend() throws IOException {
        before = System.setProperty(HOME, home.toString());
        java = Files.createDirectories(home.resolve("jdk/bin")).resolve("java");
        jar = home.resolve("laboratory/older/target/baton-11.jar");
        answer("11.0.13");
    }

    @AfterEach
    void restore() {
        if (before == null) {
            System.clearProperty(HOME);
        } else {
            System.setProperty(HOME, before);
        }
    }

    private void answer(String version) throws IOException {
        Files.writeString(java, """
                #!/bin/sh
                echo '    java.version = %s'
                echo '    java.home = %s'
                echo '    java.vm.name = OpenJDK 64-Bit Server VM'
                """.formatted(version, home));
        assertThat(java.toFile().setExecutable(true)).isTrue();
    }

    private void refused(String... words) {
        assertThatThrownBy(() -> JvmProbe.at(home.resolve("jdk"))).hasMessageContainingAll(words);
    }

    @Test
    void jdk11RunsTheScriptsJar() throws IOException {
        refused("is version 11.0.13", jar + " is missing", "run laboratory/older/build");

        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "");
        InstalledJvm jvm = JvmProbe.at(home.resolve("jdk")).jvm();
        assertThat(jvm.feature()).isEqualTo(11);
        assertThat(jvm.command(List.of(), String.class)).element(2).asString().startsWith(jar + ":");
        assertThat(JvmProbe.among(List.of(home.resolve("jdk")))).hasSize(1);
        assertThat(JvmProbe.everywhere()).allMatch(each -> each.jvm().feature() >= 17);
    }

    @Test
    void staleJarIsRefused() throws IOException {
        Files.createDirectories(jar.getParent());
        Files.writeString(jar, "");
        Files.setLastModifiedTime(jar, FileTime.fromMillis(0));
        Path own = home.resolve("baton.jar");
        Files.writeString(own, "");
        String classPath = System.setProperty("java.class.path", own.toString());
        try {
            refused("is version 11.0.13", "is older than the laboratory itself", "run laboratory/older/build");
        } finally {
            System.setProperty("java.class.path", classPath);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.8.0_322", "9.0.4", "10.0.2"})
    void olderVersionsAreRefused(String version) throws IOException {
        answer(version);
        refused("is version " + version + "; 17 or later is needed, and 11 for reference engines");
    }

    @Test
    void olderJvmDoesNotRunBaton() {
        assertThatThrownBy(() -> OlderJar.require(11, "baton")).hasMessageContaining("add --engine reference");
        OlderJar.require(11, "reference-article");
        OlderJar.require(17, "baton");
    }
}

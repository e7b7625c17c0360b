package dev.baton.lab.launch.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.launch.TrialProgram;
import dev.baton.operations.line.CommandException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OtherLibrariesTest {
    @TempDir
    private Path directory;

    private Path jar(String name, String entry, String content) throws IOException {
        Path jar = directory.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry(entry));
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }

    private Path client(String version) throws IOException {
        return jar("clients.jar", "META-INF/maven/g/a/pom.properties", "version=" + version + "\n");
    }

    @Test
    void jarsStandInFrontOfTheClassPath() throws IOException {
        Path jar = client("3.9");
        OtherLibraries only =
                OtherLibraries.combinations(List.of("kafka=" + jar)).get(0);

        List<String> command = InstalledJvm.current().with(only).command(List.of("-Xmx1g"), TrialProgram.class);

        assertThat(command).contains("-Dbaton.libraries=kafka=3.9");
        assertThat(command.get(command.indexOf("-cp") + 1))
                .startsWith(jar + ":")
                .hasSizeGreaterThan(100);
    }

    @Test
    void setsAreMeasuredInTurn() throws IOException {
        Path old = client("3.9");
        Path other = jar("driver-1.2.jar", "a.txt", "");

        List<OtherLibraries> all =
                OtherLibraries.combinations(List.of("kafka=own," + old, "aeron=own," + other + ":" + old));

        assertThat(all)
                .extracting(OtherLibraries::label)
                .containsExactly(
                        "aeron own kafka own", "aeron 1.2 kafka own", "aeron own kafka 3.9", "aeron 1.2 kafka 3.9");
        assertThat(all.get(0).flags()).isEmpty();
    }

    @Test
    void nothingTypedIsTheLaboratorysOwn() {
        assertThat(OtherLibraries.combinations(List.of())).containsExactly(OtherLibraries.NONE);
        assertThat(OtherLibraries.NONE.classPath("a.jar")).isEqualTo("a.jar");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka", "kafka=", "=a.jar", "kafka=/no/such.jar", "kafka=/etc/hostname"})
    void othersAreRefusedWithTheForm(String typed) {
        assertThatThrownBy(() -> OtherLibraries.combinations(List.of(typed)))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining("NAME=JAR[:JAR...] is allowed");
    }
}

package dev.baton.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code baton}, in a separate project with a Java and a Maven that only print how they were called. */
class ScriptTest {
    private static final Path SCRIPT = Path.of("../../baton");

    @TempDir
    private Path project;

    @BeforeEach
    void furnish() throws IOException {
        Files.copy(SCRIPT, project.resolve("baton"));
        executable(project.resolve("baton"), Files.readString(SCRIPT));
        write(project.resolve("pom.xml"), "");
        write(project.resolve("core/src/main/java/Source.java"), "");
        write(project.resolve("laboratory/app/target/baton.jar"), "");
        age(project.resolve("pom.xml"));
        age(project.resolve("core/src/main/java/Source.java"));
        age(project.resolve("core/src/main/java"));
        age(project.resolve("core/src/main"));
        java("17", "17.0.15");
        java("25", "25.0.3");
        java("11", "11.0.2");
        executable(project.resolve("bin/mvn"), """
                #!/bin/sh
                echo "mvn $*" >>"%s/mvn.log"
                echo 'a line of the build'
                [ -e "%s/broken" ] && exit 1
                : >laboratory/app/target/baton.jar
                """.formatted(project, project));
    }

    @Test
    void itHandsItsArgumentsToJavaUnchanged() throws Exception {
        assertThat(run("17", "chain", "-o", "a b=c"))
                .startsWith("java -X")
                .contains("dev.baton.app.Baton <chain> <-o> <a b=c>")
                .doesNotContain("sun-misc-unsafe");
        assertThat(project.resolve("mvn.log")).as("an up-to-date jar").doesNotExist();
    }

    @Test
    void serviceCommandsKeepHeapAndCompilerDefaults() throws Exception {
        assertThat(run("17", "chain")).contains("-Xmx256m", "TieredStopAtLevel");
        assertThat(run("17", "service")).doesNotContain("-Xmx256m", "TieredStopAtLevel");
        assertThat(run("17", "replay")).doesNotContain("-Xmx256m", "TieredStopAtLevel");
    }

    @Test
    void newerFlagsAreOmittedForOlderVersions() throws Exception {
        assertThat(run("25")).contains("--sun-misc-unsafe-memory-access=allow", "--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void tooOldJavaIsRefusedInOneLine() throws Exception {
        assertThat(run("11"))
                .isEqualTo("baton: " + project + "/jdk-11/bin/java is version 11.0.2; set JAVA_HOME to a JDK of"
                        + " version 17 or later\nexit 3\n");
    }

    @Test
    void javaHomeWithoutJavaIsRefused() throws Exception {
        assertThat(run("99"))
                .contains("baton: JAVA_HOME is " + project + "/jdk-99, but there is no ", "exit 3")
                .hasLineCount(2);
    }

    @Test
    void missingJarIsBuiltAndReported() throws Exception {
        Files.delete(project.resolve("laboratory/app/target/baton.jar"));
        assertThat(run("17"))
                .startsWith("baton: building laboratory/app/target/baton.jar")
                .contains("\njava ");
        assertThat(Files.readString(project.resolve("mvn.log"))).contains("-pl laboratory/app -am", "package");
    }

    @Test
    void newerSourceRebuildsTheJarOnce() throws Exception {
        write(project.resolve("core/src/main/java/Source.java"), "changed");
        renew(project.resolve("core/src/main/java/Source.java"));
        assertThat(run("17")).startsWith("baton: building");
        age(project.resolve("core/src/main/java/Source.java"));
        assertThat(run("17")).startsWith("java ");
    }

    @Test
    void interruptedBuildIsRepeated() throws Exception {
        executable(project.resolve("bin/mvn"), """
                #!/bin/sh
                : >laboratory/app/target/baton.jar
                [ -e "%s/healthy" ] || kill -9 $PPID
                """.formatted(project));
        Files.delete(project.resolve("laboratory/app/target/baton.jar"));
        run("17");
        assertThat(project.resolve("laboratory/app/target/baton.jar")).exists();

        write(project.resolve("healthy"), "");
        assertThat(run("17")).startsWith("baton: building").contains("\njava ");
        assertThat(run("17")).startsWith("java ");
    }

    @Test
    void twoStartsAtOnceBuildOnce() throws Exception {
        executable(project.resolve("bin/mvn"), """
                #!/bin/sh
                echo mvn >>"%1$s/mvn.log"
                until [ -e "%1$s/second" ]; do sleep 0.02; done
                : >laboratory/app/target/baton.jar
                """.formatted(project));
        Files.delete(project.resolve("laboratory/app/target/baton.jar"));
        Map<String, String> environment = Map.of("JAVA_HOME", home("17"));
        Process first = start(project, project.resolve("baton"), environment);
        Process second = null;
        try (BufferedReader told = first.inputReader()) {
            assertThat(told.readLine()).startsWith("baton: building");
            second = start(project, project.resolve("baton"), environment);
            try (BufferedReader secondTold = second.inputReader()) {
                assertThat(secondTold.readLine()).startsWith("baton: building");
                write(project.resolve("second"), "");
                assertThat(told.readLine()).startsWith("java ");
                assertThat(secondTold.readLine()).startsWith("java ");
            }
        } finally {
            write(project.resolve("second"), "");
            first.destroy();
            if (second != null) {
                second.destroy();
            }
        }
        assertThat(Files.readAllLines(project.resolve("mvn.log"))).hasSize(1);
    }

    /** No user can create files in /proc, not even root. */
    @Test
    void readOnlyDirectoryIsNamed() throws Exception {
        Path target = project.resolve("laboratory/app/target");
        Files.delete(target.resolve("baton.jar"));
        Files.delete(target);
        Files.createSymbolicLink(target, Path.of("/proc"));
        assertThat(run("17"))
                .startsWith("baton: building laboratory/app/target/baton.jar")
                .endsWith("\nbaton: cannot write to " + project.toRealPath() + "/laboratory/app/target\nexit 3\n");
    }

    @Test
    void failedBuildShowsEndOfLog() throws Exception {
        Files.delete(project.resolve("laboratory/app/target/baton.jar"));
        write(project.resolve("broken"), "");
        assertThat(run("17"))
                .contains("a line of the build\nbaton: the build failed; the whole log is in ", "exit 3")
                .doesNotContain("java -");
    }

    @Test
    void worksThroughSymbolicLinkFromAnywhere() throws Exception {
        Path elsewhere = Files.createDirectories(project.resolve("else where"));
        Files.createSymbolicLink(elsewhere.resolve("lab"), Path.of("..", "baton"));
        assertThat(run(elsewhere, elsewhere.resolve("lab"), Map.of("JAVA_HOME", home("17"))))
                .contains("-cp " + project + "/laboratory/app/target/baton.jar dev.baton");
    }

    @Test
    void transportsOfOthersJoinTheClassPath() throws Exception {
        write(project.resolve("a.jar"), "");
        write(project.resolve("more/b.jar"), "");
        String jars = project + "/a.jar:" + project + "/more/*";
        Map<String, String> environment = Map.of("JAVA_HOME", home("17"), "BATON_CLASSPATH", jars);
        assertThat(run(project, project.resolve("baton"), environment)).contains("baton.jar:" + jars + " dev.baton");
    }

    @Test
    void aJarThatDoesNotExistIsNamed() throws Exception {
        write(project.resolve("a.jar"), "");
        Map<String, String> environment =
                Map.of("JAVA_HOME", home("17"), "BATON_CLASSPATH", project + "/a.jar:/no/such.jar");
        assertThat(run(project, project.resolve("baton"), environment))
                .isEqualTo(
                        "baton: BATON_CLASSPATH names /no/such.jar, which does not exist or cannot be read\nexit 3\n");
    }

    @Test
    void aDeviceOnTheClassPathIsNamed() throws Exception {
        Map<String, String> environment = Map.of("JAVA_HOME", home("17"), "BATON_CLASSPATH", "/dev/null");
        assertThat(run(project, project.resolve("baton"), environment))
                .isEqualTo("baton: BATON_CLASSPATH names /dev/null, which is neither a file nor a directory\nexit 3\n");
    }

    @Test
    void jarsOfTheDirectoryJoinTheClassPath() throws Exception {
        Map<String, String> environment = Map.of("JAVA_HOME", home("17"), "BATON_CLASSPATH", "*");
        assertThat(run(project, project.resolve("baton"), environment)).contains("baton.jar:* dev.baton");
    }

    @Test
    void longValueIsShortened() throws Exception {
        Map<String, String> environment = Map.of("JAVA_HOME", home("17"), "BATON_CLASSPATH", "/" + "x".repeat(10_000));
        assertThat(run(project, project.resolve("baton"), environment))
                .startsWith("baton: BATON_CLASSPATH names /xxx")
                .endsWith("x... (10001 characters), which does not exist or cannot be read\nexit 3\n")
                .hasSizeLessThan(300);
    }

    @Test
    void controlCharactersAreNotEchoed() throws Exception {
        assertThat(run(project, project.resolve("baton"), Map.of("JAVA_HOME", "/no\u001b[31m/j\u00e9dk")))
                .startsWith("baton: JAVA_HOME is /no?[31m/j\u00e9dk, but there is no ")
                .endsWith("exit 3\n");
    }

    @Test
    void refusedJvmOptionsAreReportedInOneLine() throws Exception {
        write(project.resolve("jdk-picky/release"), "JAVA_VERSION=\"17.0.15\"\n");
        executable(project.resolve("jdk-picky/bin/java"), """
                #!/bin/sh
                case "$*" in *-Xmx256m*-version) ;; *) exit 9 ;; esac
                echo "NOTE: Picked up JDK_JAVA_OPTIONS: $JDK_JAVA_OPTIONS" >&2
                echo 'Error occurred during initialization of VM' >&2
                echo 'Initial heap size set to a larger value than the maximum heap size' >&2
                exit 1
                """);
        Map<String, String> environment = Map.of("JAVA_HOME", home("picky"), "JDK_JAVA_OPTIONS", "-Xms512m");
        assertThat(run(project, project.resolve("baton"), environment))
                .isEqualTo("baton: " + project + "/jdk-picky/bin/java does not start: Initial heap size set to a larger"
                        + " value than the maximum heap size; correct JDK_JAVA_OPTIONS, JAVA_TOOL_OPTIONS or"
                        + " _JAVA_OPTIONS\nexit 3\n");
    }

    @Test
    void javaWithoutVersionIsQuoted() throws Exception {
        executable(project.resolve("jdk-mute/bin/java"), """
                #!/bin/sh
                echo 'NOTE: Picked up JDK_JAVA_OPTIONS: "' >&2
                echo 'Error: Unmatched quote in environment variable JDK_JAVA_OPTIONS' >&2
                exit 1
                """);
        assertThat(run("mute"))
                .contains("does not tell its version: Error: Unmatched quote in environment variable JDK_JAVA_OPTIONS;")
                .endsWith("exit 3\n")
                .hasLineCount(2);
    }

    @Test
    void lineBreakInJavaHomeIsRefused() throws Exception {
        assertThat(run(project, project.resolve("baton"), Map.of("JAVA_HOME", home("17") + "\n/x")))
                .isEqualTo("baton: JAVA_HOME contains a line break; set it to the directory of a JDK\nexit 3\n");
    }

    @Test
    void otherSystemsThanLinuxAreRefused() throws Exception {
        executable(project.resolve("bin/uname"), "#!/bin/sh\necho Darwin\n");
        assertThat(run("17"))
                .isEqualTo("baton: the laboratory runs on Linux, and this is Darwin; docs/running.md lists what runs"
                        + " elsewhere\nexit 3\n");
    }

    @Test
    void directoryWithColonIsRefused() throws Exception {
        Path colon = Files.createDirectory(project.resolve("a:b"));
        Files.copy(SCRIPT, colon.resolve("baton"));
        assertThat(run(project, colon.resolve("baton"), Map.of("JAVA_HOME", home("17")), "chain"))
                .isEqualTo(
                        "baton: " + colon + " contains ':', which separates the entries of Java's class path; move it"
                                + " to a directory without one\nexit 3\n");
    }

    @Test
    void undecodableNamesAreRefused() throws Exception {
        write(
                project.resolve("umlaut"),
                "d=$(printf 'm\\303\\274'); mkdir -p $d/laboratory/app/target; cp baton $d;"
                        + " : >$d/laboratory/app/target/baton.jar; : >$d/a.jar; exec /bin/sh $d/baton chain\n");
        write(
                project.resolve("jar"),
                "d=$(printf 'm\\303\\274'); BATON_CLASSPATH=$PWD/$d/a.jar exec /bin/sh baton chain\n");
        Map<String, String> ascii = Map.of("JAVA_HOME", home("17"), "LC_ALL", "C");
        Map<String, String> unicode = Map.of("JAVA_HOME", home("17"), "LC_ALL", "C.UTF-8");
        String end = " is not text in ANSI_X3.4-1968, the encoding of this locale; set LC_ALL=C.UTF-8\nexit 3\n";

        assertThat(run(project, project.resolve("umlaut"), ascii))
                .startsWith("baton: " + project + "/m")
                .endsWith(end);
        assertThat(run(project, project.resolve("umlaut"), unicode)).startsWith("java ");
        assertThat(run(project, project.resolve("jar"), ascii)).isEqualTo("baton: BATON_CLASSPATH" + end);
        assertThat(run(project, project.resolve("jar"), unicode)).startsWith("java ");
    }

    private String run(String version, String... arguments) throws Exception {
        return run(project, project.resolve("baton"), Map.of("JAVA_HOME", home(version)), arguments);
    }

    private String run(Path directory, Path script, Map<String, String> environment, String... arguments)
            throws Exception {
        Process process = start(directory, script, environment, arguments);
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        return code == 0 ? said : said + "exit " + code + "\n";
    }

    private Process start(Path directory, Path script, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("/bin/sh", script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().remove("BATON_CLASSPATH");
        builder.environment().putAll(environment);
        builder.environment().merge("PATH", project.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }

    private String home(String version) {
        return project.resolve("jdk-" + version).toString();
    }

    private void java(String feature, String version) throws IOException {
        write(project.resolve("jdk-" + feature + "/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
        executable(project.resolve("jdk-" + feature + "/bin/java"), """
                #!/bin/sh
                line=java
                for each in "$@"; do
                    case $seen in
                        yes) line="$line <$each>" ;;
                        *) line="$line $each" ;;
                    esac
                    [ "$each" = dev.baton.app.Baton ] && seen=yes
                done
                echo "$line"
                """);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void executable(Path file, String text) throws IOException {
        write(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static void age(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
    }

    private static void renew(Path file) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(5)));
    }
}

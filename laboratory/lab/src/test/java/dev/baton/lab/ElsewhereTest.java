package dev.baton.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.baton.Chain;
import dev.baton.RunningChain;
import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.lab.launch.Hosts;
import dev.baton.lab.results.RemoteProcess;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.schema.Schemas;
import dev.baton.lab.study.soak.SoakFindings;
import dev.baton.lab.study.soak.Trend;
import dev.baton.lab.trial.Transports;
import dev.baton.lab.trial.TrialRunner;
import dev.baton.operations.Operations;
import dev.baton.operations.chains.ForwardingChain;
import dev.baton.operations.top.HealthClient;
import dev.baton.run.Loops;
import dev.baton.spi.Transport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Services that somebody else has started, on this host and on others, measured from here. */
@Timeout(240)
@EnabledOnOs(OS.LINUX)
@Tag("long")
class ElsewhereTest {
    private static final Pattern HEALTH = Pattern.compile("answers http://([0-9.]+:\\d+)/health");
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);

    @TempDir
    private Path temporary;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void leaveNothingRunning() throws InterruptedException {
        for (Process each : started) {
            each.destroyForcibly().waitFor();
        }
    }

    @Test
    void chainIsMeasuredAroundRunningServices() throws IOException {
        String directory = temporary.resolve("queues").toString();
        List<String> topics = List.of("--transport=chronicle", "--dir=" + directory);
        String first = service(List.of(), "first", topics, "--only=1,2", "--http=0");
        String second = service(List.of(), "second", topics, "--only=3", "--http=0");
        String over = "-o=dir=" + directory;

        measure(0, first + "," + second, "--transport=chronicle", over);
        FakeLaboratory again = measure(0, first + "," + second, "--transport=chronicle", over);

        assertThat(unwrapped(again.out()))
                .contains("elsewhere: as these processes report", first, second, "s1,s2", "s3");
        for (TrialResult result : results()) {
            assertThat(result.delivery().isFaultless()).isTrue();
            assertThat(result.delivery().delivered()).isEqualTo(3_300);
            assertThat(result.hlog()).isNotNull();
            assertThat(result.elsewhere())
                    .extracting(RemoteProcess::services)
                    .containsExactly(List.of("s1", "s2"), List.of("s3"));
            assertThat(result.elsewhere()).allSatisfy(each -> {
                assertThat(each.handled()).isPositive();
                assertThat(each.cpuCores()).isPositive();
                assertThat(each.restarts()).isZero();
                assertThat(each.spanNanos()).isBetween(1L, 5_000_000_000L);
            });
        }
        assertThat(results()).hasSize(2);
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            assertThat(files.filter(file -> file.endsWith("report.html")).findFirst())
                    .hasValueSatisfying(report -> assertThat(report).content().contains("ran s1,s2 on"));
        }
        assertThat(started).allMatch(Process::isAlive);
        assertThat(measure(2, first, "--transport=chronicle", over, "--name=six")
                        .err())
                .contains("run the chain five, not six; type --name five");
        assertThat(measure(3, first, "--transport=chronicle", over).err())
                .contains("no process of --services-elsewhere runs s3");
        assertThat(measure(2, first, "--transport=chronicle", over, "--services=4")
                        .err())
                .contains("are of a chain of 3, s1, s2, s3");
    }

    @Test
    void soakCountsResourcesOfServicesElsewhere() throws IOException {
        List<String> topics = List.of("--transport=chronicle", "--dir=" + temporary.resolve("queues"));
        String all = service(List.of(), "all", topics, "--only=1,2,3", "--http=0");

        FakeLaboratory laboratory = run(
                "soak",
                4,
                all,
                "--transport=chronicle",
                "-o=dir=" + temporary.resolve("queues"),
                "--instances=1",
                "--points=20",
                "--duration=5s");

        SoakFindings found = (SoakFindings) results().get(0).findings();
        assertThat(found.elsewhere()).hasSize(1).allSatisfy(process -> {
            assertThat(process.address()).isEqualTo(all);
            assertThat(process.points()).isBetween(3, 6);
            assertThat(process.trends())
                    .extracting(Trend::quantity)
                    .contains("descriptors", "threads", "direct buffers", "CPU of the JVM")
                    .doesNotContain("messages in flight");
        });
        assertThat(results().get(0).elsewhere().get(0).timeline())
                .allSatisfy(point -> assertThat(point.holding().threads()).isBetween(5L, 200L));
        assertThat(unwrapped(laboratory.out())).contains("elsewhere, " + all + ":");
        assertThat(laboratory.err()).doesNotContainPattern("failed: .*grows");
        assertThat(started).allMatch(Process::isAlive);
        Schemas.requireValid(temporary);
    }

    @Test
    void messagesOfEarlierRunAreNotMeasured() throws IOException {
        String directory = temporary.resolve("queues").toString();
        String all = service(
                List.of(), "all", List.of("--transport=chronicle", "--dir=" + directory), "--only=1,2,3", "--http=0");
        Chain chain = ForwardingChain.of("five", 3);
        try (Transport transport = Transports.named("chronicle").open(Map.of("dir", directory));
                Loops loops = Loops.cooperative(1);
                RunningChain inlet = chain.on(transport).with(loops).only().start()) {
            inlet.inlet().send(new byte[8]);
            inlet.close(Duration.ofSeconds(20));
        }
        await().atMost(LONGEST_WAIT).until(() -> handled(all) == 1);

        assertThat(measure(3, all, "--transport=chronicle", "-o=dir=" + directory)
                        .err())
                .contains("holds messages of an earlier run that nobody has handled");
    }

    @Test
    @Tag("slow")
    @ResourceLock(TestHosts.LOCK)
    void chainOverThreeHostsSurvivesCutHost() throws Exception {
        try (Hosts hosts = TestHosts.make(3);
                BrokerCluster broker = BrokerCluster.start(BrokerProcessOptions.defaults()
                        .at(List.of(new BrokerProcessOptions.Place(hosts.here(), List.of())))
                        .withJvmFlags(List.of("-XX:TieredStopAtLevel=1")))) {
            List<String> topics = List.of("--transport=kafka", "--bootstrap-servers=" + broker.bootstrapServers());
            List<String> addresses = new ArrayList<>();
            for (int host = 0; host < 3; host++) {
                String own = "--http=" + hosts.address(host) + ":0";
                addresses.add(service(hosts.on(host), "host" + host, topics, "--only=" + (host + 1), own));
            }
            Thread cutting = new Thread(() -> cutWhileItIsMeasured(hosts, addresses.get(0)));
            cutting.start();
            FakeLaboratory laboratory = measure(
                    0,
                    String.join(",", addresses),
                    "--transport=kafka",
                    "--bootstrap-servers=" + broker.bootstrapServers(),
                    "--duration=4s");
            cutting.join();

            TrialResult result = results().get(0);
            assertThat(result.delivery().isFaultless()).as(laboratory.out()).isTrue();
            assertThat(result.elsewhere()).hasSize(3).allSatisfy(each -> {
                assertThat(addresses).contains(each.address());
                assertThat(each.handled()).isPositive();
            });
            assertThat(result.response().maxNanos()).isGreaterThan(300_000_000L); // the cut
        }
    }

    /** From half a second after the warm-up until what came in the meantime has waited for longer than the limit below. */
    private static void cutWhileItIsMeasured(Hosts hosts, String first) {
        try {
            await().atMost(LONGEST_WAIT).until(() -> handled(first) >= 800);
            hosts.cut(1, true);
            long until = handled(first) + 600;
            await().atMost(LONGEST_WAIT).until(() -> handled(first) >= until);
            hosts.cut(1, false);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static long handled(String address) throws IOException {
        return HealthClient.of(address)
                .ask()
                .path("parts")
                .path(0)
                .path("input")
                .path("consumed")
                .asLong();
    }

    private FakeLaboratory measure(int code, String addresses, String... typed) {
        return run("chain", code, addresses, typed);
    }

    private FakeLaboratory run(String command, int code, String addresses, String... typed) {
        FakeLaboratory laboratory = FakeLaboratory.withRealTransports(TrialRunner.class);
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "--services=3",
                "--rate=1000",
                "--name=five",
                "--warmup=300ms",
                "--duration=3s",
                "--out=" + temporary.resolve("results"),
                "--services-elsewhere=" + addresses));
        arguments.removeIf(argument -> argument.contains("=")
                && Stream.of(typed).anyMatch(each -> each.startsWith(argument.replaceFirst("=.*", "="))));
        arguments.addAll(List.of(typed));
        int ended = laboratory.run(arguments.toArray(String[]::new));
        assertThat(ended).as(laboratory::err).isIn(code == 0 ? Set.of(0, 4) : Set.of(code));
        return laboratory;
    }

    private List<TrialResult> results() throws IOException {
        List<TrialResult> results = new ArrayList<>();
        try (Stream<Path> files = Files.walk(temporary.resolve("results"))) {
            for (Path file : files.filter(each -> each.toString().endsWith(".trial.json"))
                    .sorted()
                    .toList()) {
                results.add(ResultFolder.readTrial(file));
            }
        }
        return results;
    }

    /** Starts services of a chain of three, and answers the address where they say how they are. */
    private String service(List<String> on, String file, List<String> topics, String... typed) throws IOException {
        List<String> command = new ArrayList<>(on);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(Transports.named("chronicle").jvmFlags(Runtime.version().feature()));
        command.addAll(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path")));
        command.addAll(
                List.of(Operations.class.getName(), "service", "--chain=forwarding", "--services=3", "--name=five"));
        command.addAll(topics);
        command.addAll(List.of(typed));
        started.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temporary.resolve(file).toFile())
                .start());
        await().atMost(LONGEST_WAIT).until(() -> HEALTH.matcher(said(file)).find());
        Matcher address = HEALTH.matcher(said(file));
        assertThat(address.find()).isTrue();
        return address.group(1);
    }

    private String said(String name) throws IOException {
        return Files.readString(temporary.resolve(name));
    }

    private static String unwrapped(String text) {
        return text.replaceAll("\\s+", " ");
    }
}

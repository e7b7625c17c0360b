package dev.baton.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import dev.baton.kafka.embedded.BrokerCluster;
import dev.baton.kafka.embedded.BrokerProcessOptions;
import dev.baton.lab.FixedResults;
import dev.baton.lab.launch.jvm.InstalledJvm;
import dev.baton.lab.protocol.Event;
import dev.baton.lab.request.Shape;
import dev.baton.lab.request.TrialPlan;
import dev.baton.lab.results.Experiment;
import dev.baton.lab.results.Json;
import dev.baton.lab.results.ResultFolder;
import dev.baton.lab.results.ResultReader;
import dev.baton.lab.results.TrialResult;
import dev.baton.lab.results.Verdict;
import dev.baton.operations.line.CommandException;
import dev.baton.operations.line.Interruption;
import dev.baton.operations.settings.Checksum;
import dev.baton.operations.settings.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class TrialsTest {
    @TempDir
    private Path temporary;

    private final Interruption interruption = new Interruption();
    private final List<String> heard = new ArrayList<>();
    private final List<String> brokers = new ArrayList<>();
    private Runnable onProgress = () -> {};
    private ExperimentFolder folder;
    private boolean isKept;

    @Test
    void trialRunsInFreshJvm() throws IOException {
        List<FinishedTrial> finished = run(trial("one", "pass", null, false));
        assertThat(finished.get(0).result().outcome().verdict()).isEqualTo(Verdict.PASS);
        assertThat(folder.path().resolve("one.trial.json")).exists();
        assertThat(heard).containsExactly("start one 1/1", "WARMUP", "end one");
        Experiment experiment = Json.read(folder.path().resolve("experiment.json"), Experiment.class);
        assertThat(experiment.trials()).singleElement().satisfies(entry -> {
            assertThat(entry.id()).isEqualTo("one");
            assertThat(entry.file()).isEqualTo("one.trial.json");
            assertThat(entry.outcome()).isEqualTo(finished.get(0).result().outcome());
            assertThat(entry.checksums())
                    .containsOnlyKeys("one.trial.json", "one.hlog")
                    .containsEntry("one.hlog", Checksum.of(folder.path().resolve("one.hlog")));
        });
        assertThat(ResultReader.read(folder.path()).complaints()).isEmpty();
    }

    @Test
    void deadChildIsAFailureWithReason() {
        List<FinishedTrial> finished = run(trial("one", "die", null, false), trial("two", "pass", null, false));
        assertThat(finished.get(0).failure().kind()).isEqualTo(CommandException.Kind.FAILURE);
        assertThat(finished.get(0).failure())
                .hasMessageStartingWith("fake: its JVM ended with status 7 before it had a result: Exception in thread"
                        + " \"main\" java.lang.NoClassDefFoundError: com/acme/Missing; its output is in ")
                .hasMessageEndingWith("one.errors.log");
        assertThat(folder.path().resolve("one.errors.log")).isNotEmptyFile();
        assertThat(finished.get(1).result()).as("the next one").isNotNull();
    }

    @Test
    void refusedFlagsAreAFailureWithReason() {
        PlannedTrial planned = trial("one", "pass", null, false);
        PlannedTrial flawed = new PlannedTrial(planned.plan(), planned.jvm(), List.of("-XX:+NoSuchFlag"), null, 0);
        assertThat(run(flawed).get(0).failure())
                .hasMessageContaining("ended with status 1 before it had a result")
                .hasMessageContaining("NoSuchFlag");
    }

    @Test
    void usageErrorEndsExperimentBrokerErrorOnlyTrial() {
        assertThat(run(trial("one", "unreachable", null, false), trial("two", "refuse", null, false), trial("three")))
                .extracting(each -> each.failure().kind() + " " + each.failure().getMessage())
                .containsExactly(
                        "ENVIRONMENT fake: no broker at localhost:1 answered within 5 s",
                        "USAGE fake: size=11 is not allowed; 1 to 10");
    }

    @Test
    void brokerIsStartedForTrialThatNeedsIt() {
        List<FinishedTrial> finished = run(trial("one", "pass", null, true), trial("two", "pass", null, false));
        assertThat(finished.get(0).result().place().options()).containsEntry("bootstrap-servers", "localhost:9");
        assertThat(finished.get(0).result().place().brokerPids()).containsExactly(42L);
        assertThat(finished.get(1).result().place().options()).doesNotContainKey("bootstrap-servers");
        assertThat(brokers).containsExactly("started", "closed");
    }

    @Test
    void transportGetsTemporaryDirectory() {
        FinishedTrial finished = run(trial("one", "pass", "dir", false)).get(0);
        Path queues = Path.of(finished.result().place().options().get("dir"));
        assertThat(finished.result().place().queueDirectory()).isEqualTo(queues.toString());
        assertThat(queues).doesNotExist();
        assertThat(temporary.resolve("work")).as("made for this run alone").doesNotExist();
    }

    @Test
    void keptDirectoriesAndBrokersKeepTheirTopics() {
        isKept = true;
        List<FinishedTrial> finished = run(
                trial("files", "pass", "dir", false),
                trial("broker", "pass", null, true),
                trial("elsewhere", "pass", null, false));
        assertThat(finished).extracting(each -> each.result().place().isKept()).containsExactly(true, true, false);
        assertThat(Path.of(finished.get(0).result().place().options().get("dir")))
                .exists();
    }

    @Test
    void continuedExperimentKeepsEntriesUntilTrialsAreAdded() throws IOException {
        PlannedTrial[] trials = {trial("one"), trial("two")};
        run(trials);
        Path file = folder.path().resolve("experiment.json");
        Experiment before = Json.read(file, Experiment.class);
        ExperimentFolder again = ExperimentFolder.again(folder.path());
        again.begin(List.of(), 1, List.of(trials)); // and is killed before it adds any
        assertThat(Json.read(file, Experiment.class).trials()).isEqualTo(before.trials());
    }

    @Test
    void interruptionKeepsPartialResult() {
        onProgress = interruption::request;
        List<FinishedTrial> finished = run(trial("one", "wait", null, true), trial("two"));
        assertThat(finished).hasSize(1);
        assertThat(finished.get(0).result().outcome().verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(brokers).containsExactly("started", "closed");
    }

    @Test
    void processesThatShareATrialGiveOneResult() throws IOException {
        FinishedTrial finished = run(shared("pass", 3, 8)).get(0);
        assertThat(finished.result().outcome().verdict()).isEqualTo(Verdict.PASS);
        assertThat(finished.result().plan().shape().instances()).isEqualTo(8);
        assertThat(finished.result().delivery().sent()).isEqualTo(30);
        assertThat(finished.result().machine().jvmCpuCores()).isCloseTo(0.405, offset(1e-9));
        assertThat(folder.path().resolve("one.trial.json")).exists();
        List<Integer> shares = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            TrialResult part = ResultFolder.readTrial(folder.path().resolve("one-p" + i + ".trial.json"));
            shares.add(part.plan().shape().instances());
            assertThat(part.place().meeting().processes()).isEqualTo(3);
        }
        assertThat(shares).containsExactly(3, 3, 2);
    }

    @Test
    void oneProcessThatFailsEndsTheOthers() {
        FinishedTrial finished = run(shared("die-2", 2, 2)).get(0);
        assertThat(finished.failure().kind()).isEqualTo(CommandException.Kind.FAILURE);
        assertThat(finished.failure()).hasMessageContaining("status 7");
    }

    @Test
    void failureOfStoppedProcessDoesNotHideTheFirst() {
        FinishedTrial finished = run(shared("die-2-then-1", 2, 2)).get(0);
        assertThat(finished.failure()).hasMessageContaining("status 7");
    }

    @Test
    void anInterruptionStopsAllProcesses() {
        onProgress = interruption::request;
        FinishedTrial finished = run(shared("wait", 2, 2)).get(0);
        assertThat(finished.result().outcome().verdict()).isEqualTo(Verdict.INTERRUPTED);
        assertThat(finished.result().outcome().reasons())
                .containsExactly("process 1: stopped early", "process 2: stopped early");
    }

    private static PlannedTrial shared(String act, int processes, int instances) {
        PlannedTrial one = trial("one", act, null, false);
        TrialPlan plan = one.plan();
        TrialPlan larger = new TrialPlan(
                plan.id(),
                plan.subject(),
                new Shape(5, instances, 0),
                plan.load(),
                plan.loops(),
                plan.phases(),
                plan.limits());
        return new PlannedTrial(larger, one.jvm(), one.flags(), null, 0, processes, false, null);
    }

    private List<FinishedTrial> run(PlannedTrial... trials) {
        folder = ExperimentFolder.in(temporary.resolve("results"), "test");
        folder.begin(List.of(), 1, List.of(trials));
        try (Workspace workspace = Workspace.in(temporary.resolve("work"), "--dir", isKept)) {
            return new Trials(
                            folder,
                            workspace,
                            new Brokers(),
                            interruption,
                            listener(),
                            FakeTrialHost.program(FakeTrial.class))
                    .run(List.of(trials));
        } finally {
            folder.end();
        }
    }

    private static PlannedTrial trial(String id) {
        return trial(id, "pass", null, false);
    }

    private static PlannedTrial trial(String id, String act, String directoryOption, boolean needsBroker) {
        TrialPlan plan = FixedResults.plan("fake", "cooperative:1", "default");
        TrialPlan named = new TrialPlan(
                id,
                new Subject(Subject.BATON, "fake", Map.of("do", act)),
                plan.shape(),
                plan.load(),
                plan.loops(),
                plan.phases(),
                List.of());
        List<String> flags = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");
        return new PlannedTrial(named, InstalledJvm.current(), flags, directoryOption, needsBroker ? 1 : 0);
    }

    private final class Brokers implements BrokerSource {
        @Override
        public BrokerCluster startCluster(Path directory, int count, UnaryOperator<BrokerProcessOptions> further) {
            throw new AssertionError("a trial does nothing to its brokers");
        }

        @Override
        public Broker start(Path directory, int count) {
            assertThat(directory).isEmptyDirectory();
            brokers.add("started");
            return new Broker("localhost:9", List.of(42L), () -> brokers.add("closed"));
        }
    }

    private TrialListener listener() {
        return new TrialListener() {
            @Override
            public void onStart(TrialPlan plan, int number, int of) {
                heard.add("start " + plan.id() + " " + number + "/" + of);
            }

            @Override
            public void onBroker(TrialPlan plan) {
                heard.add("broker");
            }

            @Override
            public void onProgress(TrialPlan plan, Event.Progress progress) {
                heard.add(progress.phase().name());
                onProgress.run();
            }

            @Override
            public void onEnd(FinishedTrial trial) {
                heard.add("end " + trial.plan().id());
            }
        };
    }
}

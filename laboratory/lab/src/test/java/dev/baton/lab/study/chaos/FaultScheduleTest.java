package dev.baton.lab.study.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.lab.study.chaos.FaultSchedule.Times;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultScheduleTest {
    private static final int SERVICES = 5;

    static Stream<SetUp> setUps() {
        return Stream.concat(SetUp.OURS.stream(), Stream.of(SetUp.of("another")));
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void theSameSeedDrawsTheSameFaults(SetUp setUp) {
        assertThat(draw(7, setUp, 200)).isEqualTo(draw(7, setUp, 200));
        assertThat(draw(7, setUp, 200)).isNotEqualTo(draw(8, setUp, 200));
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void aLongerScheduleBeginsLikeAShorterOne(SetUp setUp) {
        assertThat(draw(7, setUp, 200).subList(0, 30)).isEqualTo(draw(7, setUp, 30));
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void everyRoundContainsEveryPossibleKind(SetUp setUp) {
        List<InjectedFault> faults = draw(7, setUp, 100);
        List<InjectedFault.Kind> possible = Stream.of(InjectedFault.Kind.values())
                .filter(kind -> kind.isPossible(setUp) && !kind.isOfComposition())
                .toList();
        int round = possible.size();
        for (int from = 0; from + round <= faults.size(); from += round) {
            assertThat(faults.subList(from, from + round))
                    .extracting(InjectedFault::kind)
                    .containsExactlyInAnyOrderElementsOf(possible);
        }
    }

    @ParameterizedTest
    @MethodSource("setUps")
    void drawnFaultsStayWithinBounds(SetUp setUp) {
        List<InjectedFault> faults = draw(7, setUp, 2_000);
        assertThat(faults).extracting(InjectedFault::number).startsWith(1, 2, 3).doesNotHaveDuplicates();
        assertThat(faults)
                .allSatisfy(fault -> assertThat(fault.restMillis())
                        .isBetween((long) Times.USUAL.leastRest(), (long) Times.USUAL.mostRest()));
        assertThat(faults)
                .filteredOn(fault -> fault.kind() == InjectedFault.Kind.PAUSE)
                .allSatisfy(fault -> assertThat(fault.lastMillis())
                        .isBetween((long) Times.USUAL.leastPause(), (long) Times.USUAL.mostPause()));
        assertThat(faults)
                .filteredOn(fault -> fault.kind() == InjectedFault.Kind.KILL_PAIR)
                .allSatisfy(fault -> assertThat(
                                FaultSchedule.numberOf(fault.targets().get(1)))
                        .isEqualTo(FaultSchedule.numberOf(fault.targets().get(0)) + 1));
        assertThat(targets(faults, InjectedFault.Kind.KILL_SERVICE))
                .containsExactlyInAnyOrder("s1", "s2", "s3", "s4", "s5");
        assertThat(targets(faults, InjectedFault.Kind.PAUSE))
                .hasSize(SERVICES + 2 + setUp.brokers + (setUp.hasDriver() ? 1 : 0));
        assertThat(targets(faults, InjectedFault.Kind.KILL_BROKER)).hasSize(setUp.brokers);
        assertThat(targets(faults, InjectedFault.Kind.KILL_HOLDING)).containsExactly("s4");
        assertThat(targets(faults, InjectedFault.Kind.ROLLING_UPDATE)).hasSize(SERVICES);
        assertThat(targets(faults, InjectedFault.Kind.DELETE_TOPIC)).hasSize(setUp.isVolatile() ? 0 : SERVICES + 1);
        int linked = setUp.hasHosts() ? 0 : setUp.brokers;
        assertThat(targets(faults, InjectedFault.Kind.CUT_CLIENTS)).hasSize(linked);
        assertThat(targets(faults, InjectedFault.Kind.CUT_BROKERS)).hasSize(linked > 1 ? linked : 0);
        assertThat(targets(faults, InjectedFault.Kind.DELAY_NETWORK)).isEmpty();
    }

    @Test
    void networkFaultsLastExceptResets() {
        List<InjectedFault> faults = draw(7, SetUp.KAFKA3, 2_000).stream()
                .filter(fault -> fault.kind().isOfNetwork())
                .toList();

        assertThat(faults).extracting(InjectedFault::kind).hasSizeGreaterThan(100);
        assertThat(faults)
                .allSatisfy(fault -> assertThat(fault.lastMillis() == 0)
                        .isEqualTo(fault.kind() == InjectedFault.Kind.RESET_CONNECTIONS));
        assertThat(draw(7, SetUp.CHRONICLE, 2_000))
                .noneMatch(fault -> fault.kind().isOfNetwork());
    }

    @Test
    void hostFaultsAreDrawn() {
        List<InjectedFault> faults = draw(7, SetUp.KAFKA_HOSTS, 2_000);
        String[] hosts = {"host-0", "host-1", "host-2"};
        for (InjectedFault.Kind kind : List.of(
                InjectedFault.Kind.LOSE_HOST,
                InjectedFault.Kind.CUT_HOST,
                InjectedFault.Kind.SLOW_HOST,
                InjectedFault.Kind.RESET_CONNECTIONS)) {
            assertThat(targets(faults, kind)).containsExactlyInAnyOrder(hosts);
        }
        assertThat(faults)
                .filteredOn(fault -> fault.kind() == InjectedFault.Kind.PART_HOSTS)
                .extracting(InjectedFault::targets)
                .containsOnly(List.of("host-0", "host-1"), List.of("host-0", "host-2"), List.of("host-1", "host-2"));
        assertThat(draw(7, SetUp.KAFKA3, 2_000)).noneMatch(fault -> fault.kind() == InjectedFault.Kind.LOSE_HOST);
    }

    @Test
    void archiveFaultsNeedAnArchive() {
        for (SetUp setUp : List.of(SetUp.AERON_ARCHIVE, SetUp.AERON_ARCHIVE_UDP)) {
            List<InjectedFault> faults = draw(7, setUp, 2_000);
            assertThat(targets(faults, InjectedFault.Kind.KILL_ARCHIVE)).containsExactly(FaultSchedule.ARCHIVE);
            assertThat(targets(faults, InjectedFault.Kind.PAUSE)).contains(FaultSchedule.ARCHIVE);
        }
        assertThat(draw(7, SetUp.CHRONICLE, 2_000))
                .noneMatch(fault -> fault.targets().contains(FaultSchedule.ARCHIVE));
    }

    @Test
    void kindsThatCannotHappenThereAreNotDrawn() {
        List<InjectedFault.Kind> asked = List.of(InjectedFault.Kind.KILL_BROKER, InjectedFault.Kind.PAUSE);
        assertThat(new FaultSchedule(1, SetUp.CHRONICLE, SERVICES, List.of(), asked, Times.USUAL).next(20))
                .extracting(InjectedFault::kind)
                .containsOnly(InjectedFault.Kind.PAUSE);
        assertThatThrownBy(() -> new FaultSchedule(
                        1, SetUp.CHRONICLE, SERVICES, List.of(), List.of(InjectedFault.Kind.KILL_BROKER), Times.USUAL))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("chronicle");
    }

    @Test
    void composedChainFaultsReachBranchAndMerge() {
        List<InjectedFault.Kind> all = List.of(InjectedFault.Kind.values());
        List<InjectedFault> faults =
                new FaultSchedule(1, SetUp.KAFKA, SERVICES, Composition.PROCESSES, all, Times.USUAL).next(1_000);
        assertThat(targets(faults, InjectedFault.Kind.KILL_BRANCH)).containsExactly("branch");
        assertThat(targets(faults, InjectedFault.Kind.KILL_MERGE)).containsExactly("merge");
        assertThat(targets(faults, InjectedFault.Kind.ROLLING_UPDATE))
                .hasSize(SERVICES + 2)
                .contains("branch", "merge");
        assertThat(draw(1, SetUp.KAFKA, 1_000)).noneMatch(fault -> fault.kind().isOfComposition());
    }

    private static List<InjectedFault> draw(long seed, SetUp setUp, int count) {
        return new FaultSchedule(
                        seed,
                        setUp,
                        SERVICES,
                        List.of(),
                        List.copyOf(EnumSet.allOf(InjectedFault.Kind.class)),
                        Times.USUAL)
                .next(count);
    }

    private static Set<String> targets(List<InjectedFault> faults, InjectedFault.Kind kind) {
        return faults.stream()
                .filter(fault -> fault.kind() == kind)
                .flatMap(fault -> fault.targets().stream())
                .collect(Collectors.toSet());
    }
}

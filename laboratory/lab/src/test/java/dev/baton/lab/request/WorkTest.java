package dev.baton.lab.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WorkTest {
    @ParameterizedTest
    @CsvSource({"5us, busy:5us", "busy:5us, busy:5us", "block:1ms, block:1ms", "exp:20us, exp:20us", "0ns, busy:0ns"})
    void everyKindIsReadAndPrinted(String typed, String printed) {
        assertThat(Work.of(typed)).hasToString(printed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "sleep:1ms", "busy:", "busy:2s", "exp:x", "busy:5us:1"})
    void otherTextsAreRefusedWithTheGrammar(String typed) {
        assertThatThrownBy(() -> Work.of(typed)).hasMessageContaining(Work.GRAMMAR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"busy:300us", "block:300us"})
    void workTakesItsTime(String typed) {
        Runnable work = Work.of(typed).start(1);
        long begin = System.nanoTime();
        work.run();
        assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(300_000);
    }

    @Test
    void busyTimeOfAChainIsAddedUp() {
        Shape shape = new Shape(3, 1, 0);
        assertThat(shape.working(List.of(Work.of("5us"))).busyNanos()).isEqualTo(15_000);
        assertThat(shape.working(List.of(Work.of("5us"), Work.of("block:1ms"), Work.of("exp:20us")))
                        .busyNanos())
                .isEqualTo(25_000);
        assertThat(shape.busyNanos()).isZero();
    }

    @Test
    void listHasOneValueForEachService() {
        List<Work> two = List.of(Work.of("5us"), Work.of("6us"));
        assertThatThrownBy(() -> new Shape(3, 1, 0).working(two)).hasMessageContaining("work of 2 services; one value");
    }
}

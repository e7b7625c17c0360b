package dev.baton.lab.trial;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import dev.baton.lab.request.Study;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No study is without an answer. */
class StudiesTest {
    @Test
    void everyStudyThatAPlanCanHoldHasAWorkload() {
        Set<String> all = Stream.of(
                        Study.class.getAnnotation(JsonSubTypes.class).value())
                .map(type -> type.value().getName())
                .collect(Collectors.toSet());
        assertThat(all).isNotEmpty();
        assertThat(Studies.known().stream().map(Class::getName).collect(Collectors.toSet()))
                .isEqualTo(all);
    }
}

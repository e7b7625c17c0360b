package dev.baton.aeron.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.baton.spi.support.ThreadConfinement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PreparedOpeningTest {
    @Test
    void anErrorReleasesWhatWasPrepared() {
        List<String> left = new ArrayList<>();
        PreparedOpening<Object, String> opening = new PreparedOpening<>(
                new ThreadConfinement("this connection"),
                () -> "place",
                place -> {
                    throw new OutOfMemoryError("Cannot reserve direct buffer memory");
                },
                left::add);
        opening.prepare();
        assertThatThrownBy(opening::finish).isInstanceOf(OutOfMemoryError.class);
        assertThat(left).containsExactly("place");
        opening.withdraw();
        assertThat(left).hasSize(1);
    }
}

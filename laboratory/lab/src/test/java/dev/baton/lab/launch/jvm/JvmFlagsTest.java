package dev.baton.lab.launch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.baton.lab.FakeProvider;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class JvmFlagsTest {
    private final FakeProvider provider = new FakeProvider("fake", true, false);

    @Test
    void heapAndTransportFlagsAreAlwaysSet() {
        assertThat(JvmFlags.forTrial(provider, jvm(17), "256m")).contains("-Xmx256m", "-Dfake.flag=17");
        assertThat(JvmFlags.forTrial(provider, jvm(25), "2g")).contains("-Xmx2g", "-Dfake.flag=25");
    }

    @Test
    void nativeAccessIsGrantedAgainstWarnings() {
        assertThat(JvmFlags.forTrial(provider, jvm(17), "256m")).doesNotContain("--enable-native-access=ALL-UNNAMED");
        assertThat(JvmFlags.forTrial(provider, jvm(25), "256m")).containsOnlyOnce("--enable-native-access=ALL-UNNAMED");
    }

    private static JvmChoice jvm(int feature) {
        return new JvmChoice(new InstalledJvm(Path.of("java"), feature, null), null, null, List.of());
    }
}

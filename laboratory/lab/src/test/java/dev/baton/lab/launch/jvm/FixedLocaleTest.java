package dev.baton.lab.launch.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FixedLocaleTest {
    @Test
    void onlyTheEncodingStaysTheUsers() {
        assertThat(applied(Map.of("LC_ALL", "de_DE.UTF-8", "LC_NUMERIC", "fr_FR", "LANG", "nb_NO", "LANGUAGE", "nb")))
                .isEqualTo(Map.of("LANG", "C", "LC_CTYPE", "de_DE.UTF-8"));
        assertThat(applied(Map.of("LC_CTYPE", "de_DE.UTF-8", "LANG", "nb_NO", "HOME", "/home/a")))
                .isEqualTo(Map.of("LANG", "C", "LC_CTYPE", "de_DE.UTF-8", "HOME", "/home/a"));
        assertThat(applied(Map.of("LC_ALL", "", "LANG", "nb_NO"))).isEqualTo(Map.of("LANG", "C", "LC_CTYPE", "nb_NO"));
        assertThat(applied(Map.of())).isEqualTo(Map.of("LANG", "C"));
    }

    private static Map<String, String> applied(Map<String, String> environment) {
        Map<String, String> changed = new HashMap<>(environment);
        FixedLocale.apply(changed);
        return changed;
    }
}

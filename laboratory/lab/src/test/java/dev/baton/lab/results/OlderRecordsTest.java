package dev.baton.lab.results;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

class OlderRecordsTest {
    private final ObjectMapper mapper = JsonMapper.builder()
            .visibility(PropertyAccessor.ALL, Visibility.NONE)
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.CREATOR, Visibility.ANY)
            .annotationIntrospector(
                    AnnotationIntrospector.pair(new Json.OlderRecords(), new JacksonAnnotationIntrospector()))
            .build();

    /** As a tool makes it of {@code java.lang.Record}. */
    abstract static class J_L_Record {}

    /** As a tool makes it of a record with a second constructor. */
    static final class Pair extends J_L_Record {
        static final String IGNORED = "";

        private final int number;
        private final List<String> names;

        Pair(int number, List<String> names) {
            this.number = number;
            this.names = names;
        }

        Pair(List<String> names) {
            this(names.size(), names);
        }
    }

    @Test
    void convertedRecordRoundTrips() throws JsonProcessingException {
        String text = mapper.writeValueAsString(new Pair(3, List.of("a", "b")));
        assertThat(text).isEqualTo("{\"number\":3,\"names\":[\"a\",\"b\"]}");

        Pair read = mapper.readValue(text, Pair.class);
        assertThat(read.number).isEqualTo(3);
        assertThat(read.names).containsExactly("a", "b");
    }
}

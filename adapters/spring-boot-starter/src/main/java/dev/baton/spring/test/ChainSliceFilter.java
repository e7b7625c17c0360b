package dev.baton.spring.test;

import dev.baton.Chain;
import dev.baton.Service;
import dev.baton.spring.ChainCustomizer;
import java.io.IOException;
import java.util.List;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.core.type.filter.TypeFilter;

/** Excludes scanned components that are unrelated to chains. Stateless, so that several tests share one context. */
final class ChainSliceFilter extends TypeExcludeFilter {
    private static final List<TypeFilter> KEPT =
            List.of(new AssignableTypeFilter(Service.class), new AssignableTypeFilter(ChainCustomizer.class));

    @Override
    public boolean match(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
        for (TypeFilter each : KEPT) {
            if (each.match(reader, factory)) {
                return false;
            }
        }
        return reader.getAnnotationMetadata().getAnnotatedMethods(Bean.class.getName()).stream()
                .noneMatch(method -> method.getReturnTypeName().equals(Chain.class.getName()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChainSliceFilter;
    }

    @Override
    public int hashCode() {
        return ChainSliceFilter.class.hashCode();
    }
}

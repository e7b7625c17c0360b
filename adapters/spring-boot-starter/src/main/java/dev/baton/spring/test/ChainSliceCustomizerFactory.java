package dev.baton.spring.test;

import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;

/** Adds the {@link ChainSliceFilter} to the contexts of a {@link BatonChainTest}. Stateless. */
final class ChainSliceCustomizerFactory implements ContextCustomizerFactory {
    private enum Slice implements ContextCustomizer {
        ONLY;

        @Override
        public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration merged) {
            context.getBeanFactory().registerSingleton(ChainSliceFilter.class.getName(), new ChainSliceFilter());
        }
    }

    @Override
    public ContextCustomizer createContextCustomizer(
            Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
        return AnnotatedElementUtils.hasAnnotation(testClass, BatonChainTest.class) ? Slice.ONLY : null;
    }
}

package dev.baton.lab.results;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the canonical constructors of records in a JVM without records: there they are classes created by a tool, with a field for each
 * component, in order. Stateless, thread-safe.
 */
final class OlderRecords extends NopAnnotationIntrospector {
    private static final long serialVersionUID = 1;

    /** The name of the substitute for {@code java.lang.Record}. */
    private static final String STAND_IN = "J_L_Record";

    @Override
    public JsonCreator.Mode findCreatorAnnotation(MapperConfig<?> config, Annotated annotated) {
        return annotated instanceof AnnotatedConstructor constructor && isCanonical(constructor.getAnnotated())
                ? JsonCreator.Mode.PROPERTIES
                : null;
    }

    @Override
    public String findImplicitPropertyName(AnnotatedMember member) {
        return member instanceof AnnotatedParameter parameter
                        && parameter.getOwner() instanceof AnnotatedConstructor constructor
                        && isCanonical(constructor.getAnnotated())
                ? components(constructor.getDeclaringClass())
                        .get(parameter.getIndex())
                        .getName()
                : null;
    }

    private static boolean isCanonical(Constructor<?> constructor) {
        Class<?> type = constructor.getDeclaringClass();
        return type.getSuperclass() != null
                && type.getSuperclass().getSimpleName().endsWith(STAND_IN)
                && Arrays.equals(
                        constructor.getParameterTypes(),
                        components(type).stream().map(Field::getType).toArray());
    }

    private static List<Field> components(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .toList();
    }
}

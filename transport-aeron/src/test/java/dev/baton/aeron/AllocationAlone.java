package dev.baton.aeron;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs the tests of allocation alone, over topics on which the whole contract would take long. Stateless. */
final class AllocationAlone implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return context.getTestMethod().isEmpty() || context.getTags().contains("allocation")
                ? ConditionEvaluationResult.enabled("a class, or a test of allocation")
                : ConditionEvaluationResult.disabled("the contract runs over topics on short terms");
    }
}

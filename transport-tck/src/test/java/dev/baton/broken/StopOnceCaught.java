package dev.baton.broken;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips the rest of a class of the contract once a test of it has caught the defect. Stateless. */
final class StopOnceCaught implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return ContractRun.isCaught()
                ? ConditionEvaluationResult.disabled("the defect is caught")
                : ConditionEvaluationResult.enabled("the defect is not caught");
    }
}

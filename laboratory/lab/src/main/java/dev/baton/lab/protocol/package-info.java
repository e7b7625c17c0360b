/**
 * What the JVM of a trial tells its parent while it runs. The other direction is a plan, {@link
 * dev.baton.lab.request.TrialPlan}, in a file; what is left in the end is a result, in a file as well. Both sides see these
 * and nothing of each other.
 */
package dev.baton.lab.protocol;

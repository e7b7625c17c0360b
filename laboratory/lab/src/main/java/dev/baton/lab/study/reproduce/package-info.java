/**
 * Published studies, each measured here with the settings of the study and shown beside its figures. {@link
 * dev.baton.lab.study.reproduce.PublishedStudy} is their registry; every step of a study is a command line of its own.
 */
package dev.baton.lab.study.reproduce;
